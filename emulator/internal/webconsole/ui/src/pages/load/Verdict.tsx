import type { VerdictState } from '../../api/load'

const kinds: Record<VerdictState, string> = { pass: 'ok', fail: 'bad', 'not measured': 'warn' }

/** VerdictBadge shows a verdict as the reports do: PASS, FAIL or NOT MEASURED. */
export function VerdictBadge({ state }: { state: VerdictState }) {
  return <span className={`badge ${kinds[state]}`}>{state.toUpperCase()}</span>
}
