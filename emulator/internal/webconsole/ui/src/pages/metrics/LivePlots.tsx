import { Plot, type Series } from '../../widgets/Plot'
import { bucketSeconds, percentile, type Bucket } from '../../values/recent'
import { constant, type Live } from './useLive'

/** Provisioned is how much a table or container has a second, as far as it is provisioned. */
export interface Provisioned { reads?: number | undefined; writes?: number | undefined; units?: number | undefined }

/** LivePlots are the plots of the last five minutes, as this browser has seen them. */
export function LivePlots({ live, cosmos, provisioned }: { live: Live; cosmos: boolean; provisioned: Provisioned }) {
  const { times, buckets, lost, following } = live
  const rate = (of: (b: Bucket) => number) => buckets.map((b) => of(b) / bucketSeconds)
  const latency = (p: number) => buckets.map((b) => percentile(b, p))
  const plot = (title: string, unit: string, series: Series[]) => <Plot {...{ title, unit, times, series }} />
  return (
    <>
      <p className="muted small">
        {following ? `Requests of all clients but the console since this page was opened, in steps of ${bucketSeconds} seconds by this machine’s clock.` : 'Waiting for the connection…'}
        {lost > 0 && <> <span className="badge warn">{lost.toLocaleString('en-US')} came too fast and are not counted</span></>}
      </p>
      <div className="plots">
        {plot('Requests', 'per second', [{ name: 'Requests', values: rate((b) => b.requests) }])}
        {plot('Latency', 'ms', [{ name: 'p50', values: latency(0.5) }, { name: 'p90', values: latency(0.9) }, { name: 'p99', values: latency(0.99) }])}
        {cosmos ? plot('Request units', 'RU per second', [
          { name: 'Consumed', values: rate((b) => b.units) }, ...constant('Provisioned', provisioned.units),
        ]) : <>
          {plot('Read capacity', 'units per second', [{ name: 'Consumed', values: rate((b) => b.reads) }, ...constant('Provisioned', provisioned.reads)])}
          {plot('Write capacity', 'units per second', [{ name: 'Consumed', values: rate((b) => b.writes) }, ...constant('Provisioned', provisioned.writes)])}
        </>}
        {plot('Throttled requests', `per ${bucketSeconds} s`, [{ name: 'Throttled', values: buckets.map((b) => b.throttled) }])}
        {plot('Errors', `per ${bucketSeconds} s`, [{ name: 'Other errors', values: buckets.map((b) => b.errors) }])}
      </div>
    </>
  )
}
