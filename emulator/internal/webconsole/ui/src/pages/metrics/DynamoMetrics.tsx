import { AlarmsPanel } from './AlarmsPanel'
import { CostPanel } from './CostPanel'
import { LivePlots, type Provisioned } from './LivePlots'
import { PastPlots } from './PastPlots'
import { useLive } from './useLive'
import type { Window } from './windows'

/** DynamoMetrics are the metrics of a table with its indexes, or of all tables. */
export function DynamoMetrics({ table, window, provisioned = {} }: { table?: string; window: Window; provisioned?: Provisioned }) {
  const live = useLive(table ?? '', (s) => s.cloud === 'dynamodb' && (table === undefined || s.target.includes(table)))
  return (
    <>
      {window === 'live' ? <LivePlots live={live} cosmos={false} provisioned={provisioned} /> : <PastPlots table={table} window={window} />}
      <AlarmsPanel table={table} />
      <CostPanel table={table} />
    </>
  )
}
