import { fewestRight, wilson } from '../../core/index.ts'
import type { AlertGate } from '../../kinds/index.ts'
import type { Tally } from '../../store/index.ts'

/** Whether what an AI step decides may be called more than `medium`; `why` it may not, in one line. */
export function gateOf(tally: Tally, gate: AlertGate): { open: boolean; why: string | null } {
  const low = wilson(tally.right, tally.marks)?.low ?? 0
  if (tally.marks >= gate.marks && low >= gate.low) return { open: true, why: null }
  const so = tally.marks ? `${tally.right} of ${tally.marks} marks say right` : 'no run of it was marked'
  return { open: false, why: `${so}; above medium it takes ${gateNeeds(gate)}` }
}

/** What opens the gate, in figures that one can count to: `20 of 20 right, or 37 of 40`. */
export function gateNeeds(gate: AlertGate): string {
  let marks = gate.marks
  while (marks < 10_000 && fewestRight(marks, gate.low) === null) marks++
  const ways = [marks, marks * 2].map(of => `${fewestRight(of, gate.low)} of ${of}`)
  return `${ways[0]} right, or ${ways[1]}`
}
