import { bill, type Bill } from '../../api/admin'
import { usePolling } from '../../api/usePolling'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { pause } from './windows'

/** CostPanel shows what the usage since the start of the emulator, or of the run, would cost on AWS. */
export function CostPanel({ table }: { table: string | undefined }) {
  const { data, error } = usePolling('cost', bill, pause)
  return (
    <section className="panel" aria-labelledby="cost">
      <div className="panel-head"><h2 id="cost">Cost so far</h2>{data && <strong>{dollars(totalOf(data, table))}</strong>}</div>
      <div className="panel-body stack">
        <ErrorMessage error={error} />
        {!data && !error && <Loading what="the cost" />}
        {data && <Lines bill={data} table={table} />}
      </div>
    </section>
  )
}

function Lines({ bill: { lines, from, prices }, table }: { bill: Bill; table: string | undefined }) {
  const shown = lines.filter((l) => (table === undefined || l.table === table) && short(l.quantity) !== '0')
  return (
    <>
      {shown.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Cost">
          <table className="table">
            <thead><tr>
              {table === undefined && <th scope="col">Table</th>}
              <th scope="col">For</th><th scope="col" className="number">Quantity</th><th scope="col" className="number">USD</th>
            </tr></thead>
            <tbody>{shown.map((l, i) => (
              <tr key={i}>
                {table === undefined && <td className="break">{l.table}</td>}
                <td className="break">{l.what}</td>
                <td className="number">{short(l.quantity)} {l.unit}</td>
                <td className="number">{l.amount === undefined ? '?' : short(l.amount)}</td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      )}
      <p className="muted small">On AWS since {from.slice(0, 19).replace('T', ' ')} UTC, at the prices of {prices}. <code>tabletop cost</code> also prices a whole month, other regions, and your own price file.</p>
    </>
  )
}

/** totalOf is the total of the bill, or that of the lines of a table: without the free tier, which belongs to no table. */
function totalOf({ lines, total }: Bill, table: string | undefined): string {
  if (table === undefined) return total
  return String(lines.filter((l) => l.table === table).reduce((sum, l) => sum + Number(l.amount ?? 0), 0))
}

/** short writes four digits, and nothing beyond a billionth. */
const short = (text: string) => Number(text).toLocaleString('en-US',
  { maximumSignificantDigits: 4, maximumFractionDigits: 9, roundingPriority: 'lessPrecision', signDisplay: 'negative' })

const dollars = (text: string) => `$${short(text)}`
