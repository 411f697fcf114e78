import { useMemo } from 'react'
import type { Table } from '../../values/table'
import { History } from './History'
import { tableSource } from './tableSource'

/** TableHistory is the page of a table's earlier states. */
export default function TableHistory({ table }: { table: Table }) {
  const source = useMemo(() => tableSource(table), [table])
  return <History key={source.id} source={source} />
}
