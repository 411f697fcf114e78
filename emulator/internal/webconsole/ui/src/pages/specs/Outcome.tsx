import type { Cell, Outcome } from '../../api/specs'

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
