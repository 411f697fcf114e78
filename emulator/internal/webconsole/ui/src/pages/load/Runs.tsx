import { useState } from 'react'
import type { RunSummary } from '../../api/load'
import { Link, navigate, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { dateText, number, verdictOf } from './texts'
import { VerdictBadge } from './Verdict'

/** Runs lists the reports of earlier runs, newest first; two of them can be compared. */
export function Runs({ runs }: { runs: RunSummary[] }) {
  const [chosen, setChosen] = useState<string[]>([])
  const there = chosen.filter((id) => runs.some((r) => r.id === id))
  const choose = (id: string) => (event: React.ChangeEvent<HTMLInputElement>) => {
    setChosen(event.target.checked ? [...there.slice(-1), id] : there.filter((one) => one !== id))
  }
  return (
    <section className="panel" aria-labelledby="load-runs">
      <div className="panel-head">
        <h2 id="load-runs">Runs</h2>
        <div className="row">
          <span className="muted small">{there.length < 2 && runs.length > 1 && 'Choose two to compare them'}</span>
          <Button isDisabled={there.length !== 2} onPress={() => navigate(to('load', 'compare', ...there))}>Compare</Button>
        </div>
      </div>
      {runs.length === 0 ? <div className="empty"><h2>No runs yet</h2><p>Reports of runs here and of tabletop loadtest run appear here.</p></div> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Runs">
          <table className="table cards dense">
            <thead><tr>
              <th scope="col"><span className="visually-hidden">Compare</span></th><th scope="col">Profile</th><th scope="col">Verdict</th>
              <th scope="col">Started, UTC</th><th scope="col">Target</th><th scope="col" className="number">Requests/s</th>
              <th scope="col" className="number">p50 ms</th><th scope="col" className="number">p99 ms</th><th scope="col" className="number">Errors</th>
              <th scope="col">Limits</th><th scope="col">Version</th>
            </tr></thead>
            <tbody>
              {runs.map((r) => (
                <tr key={r.id}>
                  <td className="select"><input type="checkbox" aria-label={`Compare ${r.profile} of ${dateText(r.started)}`} checked={there.includes(r.id)} onChange={choose(r.id)} /></td>
                  <td className="nowrap name"><Link href={to('load', 'runs', r.id)} title={r.title}>{r.profile}</Link></td>
                  <td className="nowrap"><VerdictBadge state={verdictOf(r)} /> {r.shortened && <span className="badge" title={r.shortened}>shortened</span>}</td>
                  <td className="nowrap" data-label="Started, UTC">{dateText(r.started)}</td>
                  <td data-label="Target"><bdi className="break-long">{r.target}</bdi></td>
                  <td className="number" data-label="Requests/s">{number(r.throughput, 1)}</td>
                  <td className="number" data-label="p50 ms">{number(r.p50, 1)}</td>
                  <td className="number" data-label="p99 ms">{number(r.p99, 1)}</td>
                  <td className="number" data-label="Errors">{number(r.errors)}</td>
                  <td className="nowrap" data-label="Limits">{limitsText(r)}</td>
                  <td data-label="Version"><bdi>{r.version}</bdi></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function limitsText(r: RunSummary): string {
  return `${r.passed} of ${r.passed + r.failed + r.notMeasured} passed`
}
