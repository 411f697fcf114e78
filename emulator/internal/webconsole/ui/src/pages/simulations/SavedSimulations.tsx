import type { SimulationRun } from '../../api/simulations'
import { dateText, jobTexts } from '../load/texts'
import { targetTexts, valuesText, verdictKinds, whyText } from './texts'

/** SavedSimulations lists the last simulations of a console, newest first, with what they printed. */
export function SavedSimulations({ runs }: { runs: SimulationRun[] }) {
  return (
    <section className="panel" aria-labelledby="simulation-runs">
      <div className="panel-head"><h2 id="simulation-runs">Runs</h2><span className="muted small">the last 20, with their results</span></div>
      <ul className="panel-body stack">
        {runs.map((r) => (
          <li key={r.id}>
            <details>
              <summary>
                {dateText(r.started)} <strong>{r.request.simulation}</strong>{' '}
                <span className={`badge ${r.verdict ? verdictKinds[r.verdict] : ''}`}>{r.verdict ?? jobTexts[r.state]}</span>
                {r.verdict && r.state === 'stopped' && <> <span className="badge">Stopped</span></>}
              </summary>
              <div className="stack">
                <p className="muted">{targetTexts[r.request.target]}: {valuesText(r)}</p>
                {whyText(r) && <p className="message warning">{whyText(r)}</p>}
                {r.result && <pre className="code" tabIndex={0} role="region" aria-label="Result">{r.result.trimEnd()}</pre>}
              </div>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}
