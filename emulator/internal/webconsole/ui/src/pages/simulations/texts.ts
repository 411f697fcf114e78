/** Texts of the page about simulations. */
import type { JobState } from '../../api/load'
import type { SimulationRun, SimulationTarget } from '../../api/simulations'

export const targetTexts: Record<SimulationTarget, string> = {
  separate: 'A separate emulator and backend',
  backend: 'The backend of tabletop up',
  clock: "The backend of tabletop up, moving this emulator's clock",
}

export const stateKinds: Partial<Record<JobState, string>> = { running: 'ok', stopping: 'warn', failed: 'bad', timedOut: 'bad' }

export const verdictKinds: Record<NonNullable<SimulationRun['verdict']>, string> = { PASS: 'ok', FAIL: 'bad' }

/** labelOf writes the name of a flag, such as lost-responses, as a label. */
export function labelOf(flag: string): string {
  const words = flag.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** valuesText lists the parameters of a run that were set. */
export const valuesText = (run: SimulationRun) =>
  Object.entries(run.request.values).map(([name, value]) => `${labelOf(name).toLowerCase()} ${value}`).join(', ')

/** whyText is why a run has no verdict: what its command has said last. */
export const whyText = (run: SimulationRun) => run.verdict ? '' : (run.message ?? '').replace(/^tabletop: /, '')
