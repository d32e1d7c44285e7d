import { valuesAt } from '../../../contract/index.ts'
import type { Building } from './building.ts'

/** Values that exist at a card, as far as the file can be understood. */
export function valuesIn({ workflow }: Pick<Building, 'workflow'>, node: string): string[] {
  try {
    return [...valuesAt(workflow, node.startsWith('if[') ? 'when' : node).keys()]
  } catch {
    return []
  }
}
