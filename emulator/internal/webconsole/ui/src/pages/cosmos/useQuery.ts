import { useCallback, useRef, useState } from 'react'
import { query } from '../../api/cosmos'
import type { Node } from '../../values/losslessJson'

export interface Rows {
  sql: string
  documents: Node[]
  charge: number
  lastCharge: number
  milliseconds: number
  pages: number
  /** The last page's statistics. */
  metrics: string
  indexes: string
  /** Where the next page begins; undefined: all pages are read. */
  next: string | undefined
}

/** useQuery runs a query page after page, over all physical partitions unless a partition key is given. */
export function useQuery(database: string, container: string) {
  const [state, setState] = useState<{ rows?: Rows; error?: Error; busy: boolean }>({ busy: false })
  const running = useRef(0)

  const read = useCallback(async (sql: string, partitionKey: string, limit: number, before: Rows | undefined) => {
    const id = ++running.current
    setState((s) => ({ ...s, busy: true }))
    try {
      let rows = before ?? { sql, documents: [], charge: 0, lastCharge: 0, milliseconds: 0, pages: 0, metrics: '', indexes: '', next: '' }
      const start = rows.documents.length
      // The service's pages hold rows of one physical partition each, so that several of them make a page.
      do rows = await readPage(database, container, partitionKey, limit - (rows.documents.length - start), rows)
      while (rows.next && rows.documents.length - start < limit && id === running.current)
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

async function readPage(database: string, container: string, partitionKey: string, limit: number, rows: Rows): Promise<Rows> {
  const page = await query(database, container, rows.sql, {
    limit, ...(rows.next && { continuation: rows.next }), ...(partitionKey && { partitionKey }),
  })
  return {
    ...rows, documents: [...rows.documents, ...page.documents], charge: rows.charge + page.charge, lastCharge: page.charge,
    milliseconds: rows.milliseconds + page.milliseconds, pages: rows.pages + 1, metrics: page.metrics,
    indexes: page.indexes, next: page.continuation || undefined,
  }
}
