import { useMemo } from 'react'
import { navigate } from '../../app/router'
import type { Item } from '../../values/attribute'
import type { Table } from '../../values/table'
import { tableSource } from './tableSource'
import { Versions } from './Versions'

/** ItemHistory is the history of an item of a table, from which the table's earlier states can be opened. */
export default function ItemHistory({ table, item, onClose }: { table: Table; item: Item; onClose: () => void }) {
  const source = useMemo(() => tableSource(table), [table])
  return <Versions source={source} item={item} onClose={onClose} onMoment={(at) => navigate(`${source.href}#${at}`)} />
}
