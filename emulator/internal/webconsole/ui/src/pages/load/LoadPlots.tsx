import type { Slot } from '../../api/load'
import { Plot } from '../../widgets/Plot'

/** LoadPlots are a run's rate, latency and errors over time. */
export function LoadPlots({ started, series }: { started: string; series: readonly Slot[] }) {
  const begin = Date.parse(started) / 1000
  const times = series.map((s) => begin + s.at)
  const latency = (of: (s: Slot) => number | undefined) => series.map((s) => (s.sent > 0 ? of(s) : undefined))
  const empty = 'No requests yet'
  return (
    <div className="plots">
      <Plot title="Rate" unit="requests per second" times={times} empty={empty} series={[
        { name: 'Sent', values: series.map((s) => s.sent) }, { name: 'Errors', values: series.map((s) => s.errors) },
      ]} />
      <Plot title="Latency" unit="ms" times={times} empty={empty} series={[
        { name: 'p50', values: latency((s) => s.p50) }, { name: 'p90', values: latency((s) => s.p90) },
        { name: 'p99', values: latency((s) => s.p99) },
      ]} />
    </div>
  )
}
