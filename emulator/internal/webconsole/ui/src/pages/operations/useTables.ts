import { useRef } from 'react'
import { describeTable } from '../../api/dynamodb'
import { useResource } from '../../api/useResource'
import type { Table } from '../../values/table'

/** useTables describes tables, and again when a schema changes. Those that are known stay while others are read; one that has gone is left out. */
export function useTables(names: string[]): ReadonlyMap<string, Table> {
  const known = useRef<ReadonlyMap<string, Table>>(new Map())
  const { data } = useResource(`tables ${JSON.stringify(names)}`, async () => {
    const tables = await Promise.all(names.map((name) => describeTable(name).catch(() => undefined)))
    return new Map(tables.flatMap((t) => (t ? [[t.TableName, t] as const] : [])))
  }, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  if (data) known.current = data
  return known.current
}
