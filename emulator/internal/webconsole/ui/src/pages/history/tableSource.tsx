import { useMemo, useState } from 'react'
import { call, describeTable } from '../../api/dynamodb'
import { tableHistory } from '../../api/history'
import { concernsTable } from '../../api/useResource'
import { to } from '../../app/router'
import { placeOf, wholeSecond } from '../../history/moment'
import { attribute, display, type Item } from '../../values/attribute'
import { maxColumns } from '../../values/columns'
import { valueOfItem } from '../../values/difference'
import { operandValue } from '../../values/filter'
import { columns, indexes, keyId, keyNames, keyParts, type Table } from '../../values/table'
import { sortItems, type Sorting } from '../../values/sorting'
import { Grid } from '../items/Grid'
import type { Source } from './source'

/** tableSource is a table of DynamoDB for the pages of its history. */
export function tableSource(table: Table): Source<Item> {
  const { TableName: name } = table
  const hrefOf = (other: string) => to('dynamodb', 'tables', other)
  return {
    id: `table ${name}`, name, kind: 'table', history: tableHistory(name), concerns: concernsTable(name), hrefOf,
    indexes: ['', ...indexes(table).map((i) => i.IndexName)],
    partitionKey: (index) => {
      const key = (index ? indexes(table).find((i) => i.IndexName === index)?.KeySchema ?? [] : table.KeySchema).filter((k) => k.KeyType === 'HASH')
      const [first] = keyParts(table, index)
      return key.length === 1 && first ? { name: first.name, encode: (text) => JSON.stringify(operandValue({ type: first.type, text })) } : undefined
    },
    key: (item) => keyId(table, item),
    title: (item) => keyNames(table.KeySchema).map((k) => display(attribute(item, k) ?? { S: '' }, 80)).join(' / '),
    value: valueOfItem,
    href: to('dynamodb', 'tables', name, 'history'),
    Grid: (props) => <ItemsGrid table={table} {...props} />,
    enable: () => call('UpdateContinuousBackups', {
      TableName: name, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
    restore: (at, target) => call('RestoreTableToPointInTime', {
      SourceTableName: name, TargetTableName: target,
      ...(at ? { RestoreDateTime: placeOf(at) / 1000 } : { UseLatestRestorableTime: true }),
    }),
    restorable: wholeSecond,
    restoreHint: 'DynamoDB restores whole seconds with all their writes.',
    isReady: async (target) => (await describeTable(target)).TableStatus === 'ACTIVE',
  }
}

function ItemsGrid({ table, items, index, onOpen }: { table: Table; items: Item[]; index: string; onOpen: (item: Item) => void }) {
  const [sorting, sort] = useState<Sorting>()
  const keys = [...new Set([...keyNames(table.KeySchema), ...keyParts(table, index).map((k) => k.name)])]
  const shown = useMemo(() => sortItems(items, sorting), [items, sorting])
  return (
    <Grid items={shown} columns={columns(items, keys).slice(0, maxColumns)} keys={keys} idOf={(item) => keyId(table, item)}
      onOpen={onOpen} sorting={sorting} onSort={sort} />
  )
}
