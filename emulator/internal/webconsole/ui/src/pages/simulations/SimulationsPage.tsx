import { simulations, type Fleet, type Simulations } from '../../api/simulations'
import { usePolling } from '../../api/usePolling'
import { useEmulator } from '../../app/session'
import { Link } from '../../app/router'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { Plot } from '../../widgets/Plot'
import { dateText, duration, number } from '../load/texts'

/** SimulationsPage follows the simulated devices of tabletop up. */
export default function SimulationsPage() {
  const { data, error } = usePolling('simulations', simulations, 1000)
  const { overview } = useEmulator()
  return (
    <>
      <div className="page-head"><h1>Simulations</h1></div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="the simulations" />}
      {data && !data.fleet && <div className="empty"><h2>The fleet has not begun</h2><p>Its devices register with the telemetry backend first.</p></div>}
      {data?.fleet && <FleetPanel fleet={data.fleet} />}
      {data && data.history.length > 1 && <History history={data.history} />}
      {overview.extensions.includes('pushes') && <p><Link href="/pushes">Phones of the push gateway</Link></p>}
    </>
  )
}

function FleetPanel({ fleet: f }: { fleet: Fleet }) {
  const all: [string, string][] = [
    ['Devices', number(f.devices)], ['Online', number(f.online)], ['Offline', number(f.offline)], ['Requests', number(f.requests)],
    ['Requests/s', number(f.requests_per_second, 1)], ['Readings stored', number(f.stored)], ['Duplicates', number(f.duplicate)],
    ['Rejected', number(f.rejected)], ['Requests failed', number(f.errors)], ['Readings buffered', number(f.buffered)],
  ]
  const speed = f.speed === 0 ? 'without pauses' : `${number(f.speed, 2)}× real time`
  return (
    <section className="panel" aria-labelledby="fleet">
      <div className="panel-head">
        <h2 id="fleet">Fleet</h2>
        <span className="muted small">{speed}, one reading per device every {duration(f.interval_ns / 1e9)}, seed {f.seed}</span>
      </div>
      <div className="panel-body stack">
        <dl className="figures">
          {all.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
        </dl>
        <p className="muted">
          Device time: {dateText(f.simulated)}{f.behind_ns > 1e9 && `, ${duration(Math.round(f.behind_ns / 1e9))} behind`}.
          {f.read_back > 0 && ` The readings of ${number(f.read_back)} devices were read back and compared.`}
        </p>
      </div>
    </section>
  )
}

function History({ history }: { history: Simulations['history'] }) {
  const times = history.map((h) => Date.parse(h.at) / 1000)
  return (
    <div className="plots">
      <Plot title="Requests" unit="per second" times={times} series={[{ name: 'Requests', values: history.map((h) => h.requests_per_second) }]} />
      <Plot title="Readings stored" unit="since the start" times={times} series={[{ name: 'Stored', values: history.map((h) => h.stored) }]} />
      <Plot title="Devices" unit="of the fleet" times={times} series={[
        { name: 'Online', values: history.map((h) => h.online) }, { name: 'Offline', values: history.map((h) => h.offline) },
      ]} />
      <Plot title="Buffered and failed" unit="readings, requests" times={times} series={[
        { name: 'Readings buffered', values: history.map((h) => h.buffered) }, { name: 'Requests failed', values: history.map((h) => h.errors) },
      ]} />
    </div>
  )
}
