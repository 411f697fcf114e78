import { useState } from 'react'
import { isOnDemand, type Table } from '../../values/table'
import { Segments } from '../../widgets/Field'
import { HeatMaps } from '../heat/HeatMaps'
import { DynamoMetrics } from './DynamoMetrics'
import { windows, type Window } from './windows'

/** TableMetrics has the metrics of a table with its global indexes. */
export default function TableMetrics({ table }: { table: Table }) {
  const [window, setWindow] = useState<Window>('1h')
  const all = isOnDemand(table) ? [] : [table, ...(table.GlobalSecondaryIndexes ?? [])].map((t) => t.ProvisionedThroughput)
  const sum = (unit: 'ReadCapacityUnits' | 'WriteCapacityUnits') => all.reduce((total, t) => total + (t?.[unit] ?? 0), 0)
  return (
    <>
      <div><Segments label="Time" value={window} onChange={setWindow} options={windows} /></div>
      <DynamoMetrics table={table.TableName} window={window} provisioned={{ reads: sum('ReadCapacityUnits'), writes: sum('WriteCapacityUnits') }} />
      <h2>Heat by partition</h2>
      <HeatMaps of={(h) => h.cloud === 'dynamodb' && h.resource.split('/')[0] === table.TableName} />
    </>
  )
}
