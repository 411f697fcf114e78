import { stopSimulation, type People, type SimulationRun } from '../../api/simulations'
import { isActive } from '../../api/useCurrentRun'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'
import { Plot } from '../../widgets/Plot'
import { dateText, jobTexts, number } from '../load/texts'
import { Figures } from './Figures'
import { FleetCounters, FleetPlots } from './Fleet'
import { stateKinds, targetTexts, valuesText, verdictKinds, whyText } from './texts'

/** CurrentSimulation follows the latest simulation that a console has started. */
export function CurrentSimulation({ run, onChange }: { run: SimulationRun; onChange: (run: SimulationRun) => void }) {
  const stop = () => void stopSimulation().then(onChange, () => undefined) // the next reading shows how it ended
  const { request, state, history = [] } = run
  return (
    <section className="panel" aria-labelledby="simulation-current">
      <div className="panel-head">
        <h2 id="simulation-current">
          {request.simulation} <span className={`badge ${stateKinds[state] ?? ''}`} role="status">{jobTexts[state]}</span>
          {run.verdict && <> <span className={`badge ${verdictKinds[run.verdict]}`} role="status">{run.verdict}</span></>}
        </h2>
        {isActive(run) && <Button kind="danger" icon="stop" onPress={stop}>{state === 'stopping' ? 'End at once' : 'Stop'}</Button>}
      </div>
      <div className="panel-body stack">
        <p className="muted">{targetTexts[request.target]}: {valuesText(run)}</p>
        {state === 'stopping' && <p role="status">It delivers what is left and reads everything back, to compare it.</p>}
        {!isActive(run) && whyText(run) && <p className="message warning">{whyText(run)}</p>}
        {run.result && <Code label="Result" text={run.result.trimEnd()} />}
        {!run.result && run.fleet && <FleetCounters counters={run.fleet} />}
        {!run.result && run.people && <PeopleCounters people={run.people} />}
        {!run.result && !run.fleet && !run.people && <p className="muted">{state === 'running' ? 'Starting…' : 'It has sent no requests.'}</p>}
        {history.length > 1 && (run.fleet ? <FleetPlots history={history} /> : <PeoplePlot history={history} />)}
      </div>
    </section>
  )
}

function PeopleCounters({ people: p }: { people: People }) {
  return (
    <>
      <Figures all={[
        ['Requests', number(p.requests)], ['Requests/s', number(p.requests_per_second)], ['Requests failed', number(p.errors)],
        ['Responses lost', number(p.responses_lost)],
      ]} />
      <p className="muted">{p.simulation}. Simulated time: {dateText(p.simulated)}.</p>
    </>
  )
}

function PeoplePlot({ history }: { history: NonNullable<SimulationRun['history']> }) {
  return (
    <div className="plots">
      <Plot title="Requests" unit="per second" times={history.map((h) => Date.parse(h.at) / 1000)}
        series={[{ name: 'Requests', values: history.map((h) => h.requests_per_second) }]} />
      <Plot title="Failures" unit="since the start" times={history.map((h) => Date.parse(h.at) / 1000)} series={[
        { name: 'Requests failed', values: history.map((h) => h.errors) },
        { name: 'Responses lost', values: history.map((h) => h.responses_lost) },
      ]} />
    </div>
  )
}
