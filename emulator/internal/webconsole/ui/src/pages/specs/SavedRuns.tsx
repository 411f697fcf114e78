import { useEffect } from 'react'
import { savedSpecs } from '../../api/specs'
import { useResource } from '../../api/useResource'
import { Link, to } from '../../app/router'
import { ErrorMessage } from '../../widgets/Message'
import { jobTexts, number } from '../load/texts'
import { requestText, RunVerdict, runTime } from './Outcome'

/** SavedRuns lists the last runs of a console, newest first. It is read again when the latest run, which started then, ends. */
export function SavedRuns({ latest }: { latest: string | undefined }) {
  const { data, error, reload } = useResource('specs runs', savedSpecs, () => false)
  useEffect(() => { if (latest) reload() }, [latest, reload])
  if (error) return <ErrorMessage error={error} />
  if (!data?.length) return null
  return (
    <section className="panel" aria-labelledby="specs-runs">
      <div className="panel-head"><h2 id="specs-runs">Runs</h2><span className="muted small">the last 20, with their requests</span></div>
      <div className="table-wrap" style={{ maxHeight: '30vh' }} tabIndex={0} role="region" aria-label="Runs">
        <table className="table cards">
          <thead><tr><th scope="col">Started, UTC</th><th scope="col" className="wide">Selection</th><th scope="col">Verdict</th><th scope="col">State</th><th scope="col" className="number">Scenarios</th><th scope="col" className="number">Failed</th></tr></thead>
          <tbody>
            {data.map((r) => (
              <tr key={r.id}>
                <td className="nowrap name"><Link href={to('specs', 'runs', r.id)}>{runTime(r.id)}</Link></td>
                <td className="break">{requestText(r.request)}</td><td><RunVerdict run={r} /></td><td data-label="State">{jobTexts[r.state]}</td>
                <td className="number" data-label="Scenarios">{number(r.done)} of {number(r.total)}</td><td className="number" data-label="Failed">{number(r.failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
