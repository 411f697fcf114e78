import { stopSpecs, type SpecsRun } from '../../api/specs'
import { Link, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { jobTexts, number } from '../load/texts'
import { OutcomeBadge, requestText, RunVerdict, seconds } from './Outcome'
import { RunButton } from './RunButton'
import { isActive } from '../../api/useCurrentRun'

/** CurrentSpecs shows a run of scenarios that a console has started: the latest one, which it follows, or a saved one. */
export function CurrentSpecs({ run, busy, onChange }: { run: SpecsRun; busy: boolean; onChange: (run: SpecsRun) => void }) {
  const stop = () => void stopSpecs().then(onChange, () => undefined) // the next reading shows how it ended
  const failed = run.state === 'failed' || run.state === 'timedOut'
  return (
    <section className="panel" aria-labelledby="specs-current">
      <div className="panel-head">
        <h2 id="specs-current" className="break">{requestText(run.request)} <RunVerdict run={run} /> <span className={`badge ${failed ? 'bad' : ''}`} role="status">{jobTexts[run.state]}</span></h2>
        {!isActive(run) && (
          <div className="row">
            {run.failed > 0 && <RunButton request={{ id: run.request.id, failedOf: run.id }} label="Run failed ones again" busy={busy} onStart={onChange} />}
            <RunButton request={run.request} label="Run again" busy={busy} onStart={onChange} />
          </div>
        )}
        {isActive(run) && <Button kind="danger" icon="stop" isDisabled={run.state === 'stopping'} onPress={stop}>Stop</Button>}
      </div>
      <div className="panel-body stack">
        {failed && run.message && <p className="message warning">{run.message.replace(/^tabletop: /, '')}</p>}
        <label className="stack tight">
          <span className="label">{run.total === 0 ? 'Starting…' : `${number(run.done)} of ${number(run.total)} scenarios, ${number(run.failed)} failed`}</span>
          <progress max={run.total || 1} value={run.done} />
        </label>
      </div>
      {run.scenarios.length > 0 && (
        <div className="table-wrap" style={{ maxHeight: '50vh' }} tabIndex={0} role="region" aria-label="Scenarios of the run">
          <table className="table cards">
            <thead><tr><th scope="col">Outcome</th><th scope="col">Scenario</th><th scope="col">Requirements</th><th scope="col" className="number">Time</th><th scope="col" className="number">Requests</th></tr></thead>
            <tbody>
              {run.scenarios.map((s) => (
                <tr key={s.number}>
                  <td><OutcomeBadge outcome={s.outcome} /></td>
                  <td className="break name"><Link href={to('specs', 'runs', run.id, String(s.number))}>{s.name}</Link></td>
                  <td data-label="Requirements">{s.ids.join(', ')}</td><td className="number" data-label="Time">{seconds(s.elapsed_ns)}</td>
                  <td className="number" data-label="Requests">{number(s.traced)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
