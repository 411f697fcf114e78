import { useMemo } from 'react'
import { call, type Capacity } from '../../api/dynamodb'
import { concernsTable } from '../../api/useResource'
import { rowOfItem } from '../../design/rows'
import { viewsOf } from '../../design/views'
import type { Item } from '../../values/attribute'
import type { Table } from '../../values/table'
import { Design } from './Design'
import { useSample, type ReadPage } from './useSample'

interface Output { Items: Item[]; LastEvaluatedKey?: Item; ConsumedCapacity?: Capacity }

/** TableDesign shows the entities of a table, and how it and its indexes have them. */
export default function TableDesign({ table }: { table: Table }) {
  const first = useMemo(() => scan(table.TableName), [table.TableName])
  const sample = useSample(first, concernsTable(table.TableName, 'items'))
  return <Design views={viewsOf(table)} total={table.ItemCount} unit="capacity units" {...sample} />
}

function scan(table: string, from?: Item): ReadPage {
  return async (limit) => {
    const { output } = await call<Output>('Scan', {
      TableName: table, Limit: limit, ReturnConsumedCapacity: 'TOTAL', ...(from && { ExclusiveStartKey: from }),
    })
    const { LastEvaluatedKey: last } = output
    return { rows: output.Items.map(rowOfItem), units: output.ConsumedCapacity?.CapacityUnits ?? 0, ...(last && { next: scan(table, last) }) }
  }
}
