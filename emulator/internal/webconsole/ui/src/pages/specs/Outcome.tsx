import type { Cell, Outcome, SpecsRequest, SpecsRun } from '../../api/specs'

const kinds: Partial<Record<Outcome, string>> = {
  passed: 'ok', failed: 'bad', 'known difference': 'warn', 'passed in part': 'warn', 'not measured': 'warn',
}

const texts: Partial<Record<Outcome, string>> = { passed: 'PASS', failed: 'FAIL', 'passed in part': 'PARTIAL' }

/** OutcomeBadge shows an outcome as the reports do, such as PASS or NOT APPLICABLE. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return <span className={`badge ${kinds[outcome] ?? ''}`}>{texts[outcome] ?? outcome.toUpperCase()}</span>
}

/** CellView is a requirement's outcome on a target, with the number of scenarios that passed. */
export function CellView({ cell }: { cell: Cell }) {
  return <><OutcomeBadge outcome={cell.outcome} />{cell.total > 0 && <span className="muted small"> {cell.passed} of {cell.total}</span>}</>
}

/** seconds writes a duration that is given in nanoseconds. */
export const seconds = (ns: number) => (ns < 1e9 ? `${Math.round(ns / 1e6)} ms` : `${(ns / 1e9).toFixed(1)} s`)

/** runTime writes the time of a run's start in UTC, which is its id. */
export const runTime = (id: string) => id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5:$6')

/** requestText says what a run was asked to run. */
export const requestText = ({ id, scenario, failedOf }: SpecsRequest) =>
  scenario ? scenario.name : failedOf ? `Failed scenarios of the run of ${runTime(failedOf)} UTC` : id || 'All scenarios'

/** RunVerdict is what a run that has ended says: PASS if every scenario ran and none failed. */
export function RunVerdict({ run: { state, done, failed, total } }: { run: Pick<SpecsRun, 'state' | 'done' | 'failed' | 'total'> }) {
  if (state === 'running' || state === 'stopping') return null
  if (failed > 0) return <OutcomeBadge outcome="failed" />
  return <OutcomeBadge outcome={state === 'ended' && total > 0 && done === total ? 'passed' : 'not measured'} />
}
