import { heat, type Heat } from '../../api/admin'
import { clock } from '../../api/console'
import { usePolling } from '../../api/usePolling'
import { gridOf } from '../../values/metrics'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { Plot } from '../../widgets/Plot'
import { LivePlots, type Provisioned } from './LivePlots'
import { useLive } from './useLive'
import { lengths, pause, type Window } from './windows'

/** CosmosMetrics are the metrics of a container of Cosmos DB, named DATABASE/CONTAINER, or of all. */
export function CosmosMetrics({ container, window, provisioned = {} }: { container?: string; window: Window; provisioned?: Provisioned }) {
  const link = container && `dbs/${container.replace('/', '/colls/')}`
  const live = useLive(container ?? '', (s) => s.cloud === 'cosmos' && (!link || `${s.target[0] ?? ''}/`.startsWith(`${link}/`)))
  if (window === 'live') return <LivePlots live={live} cosmos provisioned={provisioned} />
  if (window === '1d' || window === '15d') return <div className="empty">The load on containers is known for the last 3 hours</div>
  return <PastLoad {...{ container, window, provisioned }} />
}

/** PastLoad is the load by minute, which the emulator knows by physical partition. */
function PastLoad({ container, window, provisioned }: { container: string | undefined; window: '1h' | '3h'; provisioned: Provisioned }) {
  const { data, error } = usePolling(`load ${container ?? ''}`, async () => ({
    to: Date.parse((await clock()).now) / 1000,
    load: (await heat()).filter((h) => h.cloud === 'cosmos' && (container === undefined || h.resource === container)),
  }), pause)
  if (!data) return error ? <ErrorMessage error={error} /> : <Loading what="the metrics" />
  const range = { from: data.to - lengths[window].seconds, to: data.to, period: 60 }
  const times = gridOf(range)
  const { units, normalized, throttled } = minutesOf(data.load, times)
  const limit = provisioned.units ? [{ name: 'Provisioned', values: times.map(() => provisioned.units), limit: true }] : []
  return (
    <>
      <ErrorMessage error={error} />
      <p className="muted small">Live shows requests, latency and errors too.</p>
      <div className="plots">
        <Plot title="Request units" unit="RU per second" times={times} series={[{ name: 'Consumed', values: units.map((u) => u / 60) }, ...limit]} />
        <Plot title="Normalized consumption" unit="% of the hottest partition" times={times} series={[{ name: 'Hottest partition', values: normalized.map((n) => n * 100) }]} />
        <Plot title="Throttled requests" unit="per minute" times={times} series={[{ name: 'Throttled', values: throttled }]} />
      </div>
    </>
  )
}

function minutesOf(load: Heat[], times: number[]) {
  const zeros = () => times.map(() => 0)
  const [units, normalized, throttled] = [zeros(), zeros(), zeros()]
  for (const { at, partitions } of load.flatMap((h) => h.minutes)) {
    const i = Math.round((Date.parse(at) / 1000 - times[0]!) / 60)
    if (i < 0 || i >= times.length) continue
    for (const p of partitions) {
      units[i]! += p.units ?? 0
      normalized[i] = Math.max(normalized[i]!, p.normalized ?? 0)
      throttled[i]! += p.throttled ?? 0
    }
  }
  return { units, normalized, throttled }
}
