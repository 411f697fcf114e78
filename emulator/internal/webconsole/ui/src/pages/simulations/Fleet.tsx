import type { Counters, Fleet, FleetPoint } from '../../api/simulations'
import { Plot } from '../../widgets/Plot'
import { dateText, duration, number } from '../load/texts'
import { Figures } from './Figures'

/** FleetPanel shows the fleet of tabletop up. */
export function FleetPanel({ fleet: f }: { fleet: Fleet }) {
  const speed = f.speed === 0 ? 'without pauses' : `${number(f.speed, 2)}× real time`
  return (
    <section className="panel" aria-labelledby="fleet">
      <div className="panel-head">
        <h2 id="fleet">Fleet of tabletop up</h2>
        <span className="muted small">{speed}, one reading per device every {duration(f.interval_ns / 1e9)}, <span className="nowrap">seed {f.seed}</span></span>
      </div>
      <div className="panel-body stack"><FleetCounters counters={f} /></div>
    </section>
  )
}

/** FleetCounters are the counters of a fleet. */
export function FleetCounters({ counters: c }: { counters: Counters }) {
  return (
    <>
      <Figures all={[
        ['Devices', number(c.devices)], ['Online', number(c.online)], ['Offline', number(c.offline)], ['Requests', number(c.requests)],
        ['Requests/s', number(c.requests_per_second, 1)], ['Readings stored', number(c.stored)], ['Duplicates', number(c.duplicate)],
        ['Rejected', number(c.rejected)], ['Requests failed', number(c.errors)], ['Readings buffered', number(c.buffered)],
      ]} />
      <p className="muted">
        Device time: {dateText(c.simulated)}{c.behind_ns > 1e9 && `, ${duration(Math.round(c.behind_ns / 1e9))} behind`}.
        {c.read_back > 0 && ` The readings of ${number(c.read_back)} devices were read back and compared.`}
      </p>
    </>
  )
}

/** FleetPlots are the last minutes of a fleet. */
export function FleetPlots({ history }: { history: FleetPoint[] }) {
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
