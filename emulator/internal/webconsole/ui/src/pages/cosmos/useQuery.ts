import { useCallback, useRef, useState } from 'react'
import { query, ranges } from '../../api/cosmos'
import type { Node } from '../../values/losslessJson'

interface Cursor { range: number; continuation: string }

export interface Rows {
  sql: string
  documents: Node[]
  charge: number
  lastCharge: number
  milliseconds: number
  pages: number
  ranges: string[]
  next: Cursor | undefined
}

/** Clauses whose result over several physical partitions is not the sum of the parts. */
const needsMerge = /\b(order\s+by|group\s+by|distinct|top|offset|count|sum|avg|min|max)\b/i

/** useQuery runs a query page after page, through one physical partition after another. */
export function useQuery(database: string, container: string) {
  const [state, setState] = useState<{ rows?: Rows; error?: Error; busy: boolean }>({ busy: false })
  const running = useRef(0)

  const read = useCallback(async (sql: string, partitionKey: string, limit: number, before: Rows | undefined) => {
    const id = ++running.current
    setState((s) => ({ ...s, busy: true }))
    try {
      let rows = before ?? { sql, documents: [], charge: 0, lastCharge: 0, milliseconds: 0, pages: 0, next: { range: 0, continuation: '' },
        ranges: partitionKey ? [''] : await ranges(database, container) }
      if (rows.ranges.length > 1 && needsMerge.test(withoutStrings(sql))) {
        throw new Error(`The container has ${rows.ranges.length} physical partitions, whose results of this query an SDK merges. Give a partition key.`)
      }
      const start = rows.documents.length
      do rows = await readPage(database, container, partitionKey, limit, rows)
      while (rows.next && rows.documents.length === start && id === running.current)
      if (id === running.current) setState({ rows, busy: false })
    } catch (error) {
      if (id === running.current) setState((s) => ({ ...(s.rows && { rows: s.rows }), error: error as Error, busy: false }))
    }
  }, [database, container])

  const run = useCallback((sql: string, partitionKey: string, limit: number) => read(sql, partitionKey, limit, undefined), [read])
  const more = useCallback((partitionKey: string, limit: number) => {
    if (state.rows?.next) void read(state.rows.sql, partitionKey, limit, state.rows)
  }, [read, state.rows])
  return { ...state, run, more }
}

/** withoutStrings is a query without the contents of its strings, where a word is not a clause. */
export function withoutStrings(sql: string): string {
  return sql.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
}

async function readPage(database: string, container: string, partitionKey: string, limit: number, rows: Rows): Promise<Rows> {
  const { range, continuation } = rows.next!
  const page = await query(database, container, rows.sql, {
    range: rows.ranges[range]!, limit, continuation, ...(partitionKey && { partitionKey }),
  })
  const further = range + 1 < rows.ranges.length ? { range: range + 1, continuation: '' } : undefined
  return {
    ...rows, documents: [...rows.documents, ...page.documents], charge: rows.charge + page.charge, lastCharge: page.charge,
    milliseconds: rows.milliseconds + page.milliseconds, pages: rows.pages + 1,
    next: page.continuation ? { range, continuation: page.continuation } : further,
  }
}
