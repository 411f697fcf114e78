import { stopRun, type Run, type Slot } from '../../api/load'
import { Link, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { LoadPlots } from './LoadPlots'
import { RunAgain } from './RunAgain'
import { duration, jobTexts, number } from './texts'
import { isActive } from '../../api/useCurrentRun'

const kinds: Partial<Record<Run['state'], string>> = { running: 'ok', stopping: 'warn', failed: 'bad', timedOut: 'bad' }

/** CurrentRun follows the latest run that a console has started. */
export function CurrentRun({ run, series, onChange }: { run: Run; series: readonly Slot[]; onChange: (run: Run) => void }) {
  const stop = () => void stopRun().then(onChange, () => undefined) // the next reading shows how it ended
  return (
    <section className="panel" aria-labelledby="load-current">
      <div className="panel-head">
        <h2 id="load-current">{run.profile} <span className={`badge ${kinds[run.state] ?? ''}`} role="status">{jobTexts[run.state]}</span></h2>
        {isActive(run) && <Button kind="danger" icon="stop" isDisabled={run.state === 'stopping'} onPress={stop}>Stop</Button>}
        {!isActive(run) && (
          <div className="row">
            {run.report && <Link href={to('load', 'runs', run.report)}>Report</Link>}
            <RunAgain request={run.request} onStart={onChange} />
          </div>
        )}
      </div>
      <div className="panel-body stack">
        <p className="muted">{run.title}, {duration(run.seconds)}, {number(run.requests)} requests, on <bdi>{run.target}</bdi></p>
        {!run.report && !isActive(run) && run.message && <p className="message warning">{run.message.replace(/^tabletop: /, '')}</p>}
        <Figures run={run} />
        <LoadPlots started={run.started} series={series} />
      </div>
    </section>
  )
}

/** Figures are the totals so far. */
function Figures({ run: { progress, state, requests } }: { run: Run }) {
  if (!progress) return <p className="muted">{state === 'running' ? 'Starting…' : 'No requests were sent.'}</p>
  const preparing = progress.phase === 'preparing'
  const share = state === 'ended' ? 1 : Math.min(progress.share, 1)
  const all: [string, string][] = [
    ['Requests', `${number(progress.requests)} of ${number(requests)}`], ['Rate', `${number(progress.rate, 1)}/s`],
    ['p50', `${number(progress.p50, 1)} ms`], ['p90', `${number(progress.p90, 1)} ms`], ['p99', `${number(progress.p99, 1)} ms`],
    ['Errors', number(progress.errors)], ['Throttled', number(progress.throttled)],
  ]
  return (
    <>
      <label className="stack tight">
        <span className="label">{preparing ? 'Creating the population' : 'Sending requests'}, {number(share * 100)}%</span>
        <progress max={1} value={share} />
      </label>
      {!preparing && (
        <dl className="figures">
          {all.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
        </dl>
      )}
    </>
  )
}
