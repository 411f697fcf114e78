import { useEffect, useState } from 'react'
import type { Seen } from '../../api/requests'
import { compareRuns, type Outcome, type Row } from '../../runs/compare'
import { cut } from '../../values/attribute'
import { pretty } from '../../values/pretty'
import { Compare } from '../../widgets/Compare'
import { Dialog } from '../../widgets/Dialog'
import { Check } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { unitsOf } from './RequestView'

/** The most rows that are shown at once. */
const shownAtOnce = 500

const labels: Record<Outcome, { text: string; badge: string }> = {
  same: { text: 'same', badge: 'ok' }, changed: { text: 'changed', badge: 'warn' },
  missing: { text: 'missing', badge: 'bad' }, new: { text: 'new', badge: 'bad' },
}

/** RunComparison compares the requests of two runs of a client, each in the order of time. */
export function RunComparison({ before, after, onClose }: { before: Seen[]; after: Seen[]; onClose: () => void }) {
  const [rows, setRows] = useState<Row[]>()
  const [error, setError] = useState<Error>()
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<Row>()
  useEffect(() => {
    let current = true
    compareRuns(before, after).then((found) => current && setRows(found), (e: Error) => current && setError(e))
    return () => {
      current = false
    }
  }, [before, after])
  const shown = rows?.filter((r) => all || r.outcome !== 'same') ?? []
  return (
    <Dialog title="Compared with the last run" place="wide" onClose={onClose}>
      <ErrorMessage error={error} />
      {!rows && !error && <p className="muted" role="status">Comparing…</p>}
      {rows && <>
        <Summary rows={rows} before={before} after={after} />
        <Check checked={all} onChange={setAll}>Same requests too</Check>
        {shown.length > 0 && <Rows rows={shown.slice(0, shownAtOnce)} onOpen={setOpen} />}
        {shown.length > shownAtOnce && <p className="small">The first {shownAtOnce} of {shown.length.toLocaleString('en-US')} are shown.</p>}
      </>}
      {open && <PairView row={open} onClose={() => setOpen(undefined)} />}
    </Dialog>
  )
}

function Summary({ rows, before, after }: { rows: Row[]; before: Seen[]; after: Seen[] }) {
  const count = (outcome: Outcome) => rows.filter((r) => r.outcome === outcome).length
  const units = (run: Seen[], cloud: Seen['cloud']) => run.filter((s) => s.cloud === cloud)
    .reduce((sum, s) => sum + (s.requestCharge ?? (s.capacity ? s.capacity.reads + s.capacity.writes : 0)), 0)
  const milliseconds = (run: Seen[]) => run.reduce((sum, s) => sum + s.durationMs, 0)
  return (
    <div className="stack" role="status">
      <div className="row">
        {count('same') === rows.length ? <span className="badge ok">No differences</span> : (
          (['changed', 'missing', 'new', 'same'] as const).filter((o) => count(o) > 0).map((o) => (
            <span key={o} className={`badge ${labels[o].badge}`}>{count(o).toLocaleString('en-US')} {labels[o].text}</span>
          ))
        )}
      </div>
      <div className="table-wrap" tabIndex={0} role="region" aria-label="Totals">
        <table className="table">
          <thead><tr><th scope="col">Total</th><th scope="col" className="number">Last run</th><th scope="col" className="number">This run</th><th scope="col" className="number">Change</th></tr></thead>
          <tbody>
            <Total label="Requests" before={before.length} after={after.length} />
            <Total label="Milliseconds" before={milliseconds(before)} after={milliseconds(after)} />
            <Total label="Capacity units of DynamoDB" before={units(before, 'dynamodb')} after={units(after, 'dynamodb')} />
            <Total label="RU of Cosmos DB" before={units(before, 'cosmos')} after={units(after, 'cosmos')} />
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Total is not shown if both runs have none. */
function Total({ label, before, after }: { label: string; before: number; after: number }) {
  if (before === 0 && after === 0) return null
  const number = (n: number, signDisplay: 'auto' | 'exceptZero' = 'auto') => n.toLocaleString('en-US', { maximumFractionDigits: 1, signDisplay })
  return (
    <tr>
      <td>{label}</td><td className="number">{number(before)}</td><td className="number">{number(after)}</td>
      <td className="number">{number(after - before, 'exceptZero')}</td>
    </tr>
  )
}

function Rows({ rows, onOpen }: { rows: Row[]; onOpen: (row: Row) => void }) {
  return (
    <div className="table-wrap" style={{ maxHeight: '60vh' }} tabIndex={0} role="region" aria-label="Requests of both runs">
      <table className="table grid">
        <thead><tr>
          <th scope="col">Outcome</th><th scope="col">Operation</th><th scope="col">Target</th><th scope="col">Differences, last run → this run</th>
          <th scope="col" className="number">Units</th>
        </tr></thead>
        <tbody>{rows.map((row, i) => {
          const seen = (row.after ?? row.before)!
          return (
            <tr key={i}>
              <td><span className={`badge ${labels[row.outcome].badge}`}>{labels[row.outcome].text}</span></td>
              <td><button type="button" className="key-button" onClick={() => onOpen(row)}>{seen.operation || 'no operation'}</button></td>
              <td><bdi>{(seen.target ?? []).join(', ')}</bdi></td>
              <td>{row.differences.slice(0, 3).map((d) => (
                <div key={d.path}><code>{d.path}</code> <bdi>{cut(d.recorded || 'none', 60)}</bdi> → <bdi>{cut(d.answered || 'none', 60)}</bdi></div>
              ))}{row.differences.length > 3 && <div>and {row.differences.length - 3} more</div>}</td>
              <td className="number">{[row.before, row.after].filter((s) => s !== undefined).map(unitsOf).join(' → ')}</td>
            </tr>
          )
        })}</tbody>
      </table>
    </div>
  )
}

/** PairView shows the bodies of a request in both runs. */
function PairView({ row, onClose }: { row: Row; onClose: () => void }) {
  const { before, after } = row
  const titles = ['Last run', 'This run'] as const
  const body = (text: string | undefined) => pretty(text ?? '')
  return (
    <Dialog title={`${(after ?? before)!.operation} in both runs`} place="wide" onClose={onClose}>
      <h3>Request</h3>
      <Compare label="Requests" titles={titles} left={body(before?.request)} right={body(after?.request)} />
      <h3>Response</h3>
      <Compare label="Responses" titles={titles} left={body(before?.response)} right={body(after?.response)} />
    </Dialog>
  )
}
