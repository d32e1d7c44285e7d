import { GatehouseError } from '../../core/index.ts'
import type { CasesOutcome } from '../types.ts'

/** Marked runs that were right come out differently: nothing was switched. */
export class CasesFlipped extends GatehouseError {
  readonly cases: CasesOutcome

  constructor(cases: CasesOutcome) {
    const { worse } = cases
    const runs =
      worse === 1
        ? '1 run that people marked as right comes'
        : `${worse} runs that people marked as right come`
    const message = `${runs} out differently now: look at them, then confirm that it goes On all the same, or mend it.`
    super('cases_flipped', message, { status: 409 })
    this.cases = cases
  }
}
