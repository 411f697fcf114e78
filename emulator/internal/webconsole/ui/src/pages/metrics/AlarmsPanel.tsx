import { alarms, type Alarm } from '../../api/cloudwatch'
import { usePolling } from '../../api/usePolling'
import { useEmulator } from '../../app/session'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { pause } from './windows'

const badges = { OK: 'ok', ALARM: 'bad', INSUFFICIENT_DATA: 'warn' }

const signs: Record<string, string> = {
  GreaterThanThreshold: '>', GreaterThanOrEqualToThreshold: '≥', LessThanThreshold: '<', LessThanOrEqualToThreshold: '≤',
}

/** AlarmsPanel lists CloudWatch's alarms with their states, those of a table or all. */
export function AlarmsPanel({ table }: { table: string | undefined }) {
  const { region } = useEmulator()
  const { data, error } = usePolling(`alarms ${region}`, alarms, pause)
  const shown = data?.filter((a) => table === undefined || tablesOf(a).includes(table))
  return (
    <section className="panel" aria-labelledby="alarms">
      <div className="panel-head"><h2 id="alarms">Alarms</h2></div>
      {error && <div className="panel-body"><ErrorMessage error={error} /></div>}
      {!data && !error && <div className="panel-body"><Loading what="the alarms" /></div>}
      {shown?.length === 0 && <div className="empty">No alarm watches {table === undefined ? 'a metric' : 'this table'}</div>}
      {shown && shown.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Alarms">
          <table className="table cards">
            <thead><tr><th scope="col">Alarm</th><th scope="col">State</th><th scope="col">Condition</th><th scope="col">Reason</th></tr></thead>
            <tbody>{shown.map((a) => (
              <tr key={a.AlarmName}>
                <td className="break name">{a.AlarmName}</td>
                <td><span className={`badge ${badges[a.StateValue]}`}>{a.StateValue}</span></td>
                <td className="break whole">{conditionOf(a)}</td>
                <td className="break small muted whole">{a.StateReason}</td>
              </tr>
            ))}</tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** tablesOf returns the tables whose metrics an alarm watches. */
function tablesOf({ Dimensions = [], Metrics = [] }: Alarm): string[] {
  return [...Dimensions, ...Metrics.flatMap((m) => m.MetricStat?.Metric?.Dimensions ?? [])].filter((d) => d.Name === 'TableName').map((d) => d.Value)
}

function conditionOf(a: Alarm): React.ReactNode {
  const of = a.MetricName ? `${a.Statistic ?? a.ExtendedStatistic ?? ''} of ${a.MetricName}` : 'Expression'
  return <>{of} <span className="nowrap">{`${signs[a.ComparisonOperator ?? ''] ?? a.ComparisonOperator ?? ''} ${a.Threshold ?? ''}`.trim()}</span></>
}
