import { useState } from 'react'
import { usePolling } from '../../api/usePolling'
import { useEmulator } from '../../app/session'
import { Select } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { Plot, type Series } from '../../widgets/Plot'
import { loadPast } from './past'
import { lengths, pause, type Window } from './windows'

/** PastPlots are the plots of CloudWatch's metrics of a table with its indexes, or of all tables. */
export function PastPlots({ table, window }: { table?: string | undefined; window: Exclude<Window, 'live'> }) {
  const { region } = useEmulator()
  const [chosen, setChosen] = useState('')
  const { data, error } = usePolling(`past ${region} ${window} ${chosen} ${table ?? ''}`, () => loadPast(table, window, chosen), pause)
  if (!data) return error ? <ErrorMessage error={error} /> : <Loading what="the metrics" />
  const { per } = lengths[window]
  const plot = (title: string, unit: string, series: Series[], empty?: string) => (
    <Plot {...{ title, unit, series, times: data.times, ...(empty && { empty }) }} />
  )
  return (
    <>
      <ErrorMessage error={error} />
      {data.omitted > 0 && <p className="message warning">There are more tables than the plots can show: {data.omitted} metrics are left out. Open a table to see its own.</p>}
      <div className="plots">
        {plot('Requests', 'per second', data.requests)}
        <Plot title="Latency" unit="ms" series={data.latency} times={data.times} empty="No requests in this time">
          {data.operations.length > 0 && (
            <Select label="Operation" hideLabel value={data.operation} options={data.operations} onChange={setChosen} />
          )}
        </Plot>
        {plot('Read capacity', 'units per second', data.reads)}
        {plot('Write capacity', 'units per second', data.writes)}
        {plot('Throttled', per, data.throttles, 'No throttled requests')}
        {plot('Errors', per, data.errors, 'No errors')}
      </div>
    </>
  )
}
