import { query } from '../api/cosmos'
import type { CosmosQuery } from '../copyas/cosmos/query'
import type { Node } from '../values/losslessJson'
import { Cell } from './cell'

export interface Rows {
  query: CosmosQuery
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

/** CosmosState is what was read; failed is the query that had the error. */
export interface CosmosState { rows?: Rows; error?: Error; failed?: CosmosQuery; busy: boolean }

const none = { documents: [], charge: 0, lastCharge: 0, milliseconds: 0, pages: 0, metrics: '', indexes: '', next: '' }

/** CosmosReader runs a query page after page, over all physical partitions unless a partition key is given. */
export class CosmosReader extends Cell<CosmosState> {
  private running = 0

  constructor() {
    super({ busy: false })
  }

  run(query: CosmosQuery): Promise<void> {
    return this.read({ ...none, query }, query.limit)
  }

  /** refresh runs the query again whose rows are shown, up to as many rows. */
  refresh() {
    const rows = this.value.rows
    if (rows) void this.read({ ...none, query: rows.query }, Math.max(rows.query.limit, rows.documents.length))
  }

  /** more reads the next page. */
  more() {
    const rows = this.value.rows
    if (rows?.next) void this.read(rows, rows.query.limit)
  }

  private async read(before: Rows, limit: number) {
    const id = ++this.running
    this.set({ ...this.value, busy: true })
    try {
      let rows = before
      const start = rows.documents.length
      // The service's pages hold rows of one physical partition each, so that several of them make a page.
      do rows = await readPage(limit - (rows.documents.length - start), rows)
      while (rows.next && rows.documents.length - start < limit && id === this.running)
      if (id === this.running) this.set({ rows, busy: false })
    } catch (error) {
      if (id === this.running) this.set({ ...(this.value.rows && { rows: this.value.rows }), error: error as Error, failed: before.query, busy: false })
    }
  }
}

async function readPage(limit: number, rows: Rows): Promise<Rows> {
  const { database, container, sql, partitionKey } = rows.query
  const page = await query(database, container, sql, {
    limit, ...(rows.next && { continuation: rows.next }), ...(partitionKey && { partitionKey }),
  })
  return {
    ...rows, documents: [...rows.documents, ...page.documents], charge: rows.charge + page.charge, lastCharge: page.charge,
    milliseconds: rows.milliseconds + page.milliseconds, pages: rows.pages + 1, metrics: page.metrics,
    indexes: page.indexes, next: page.continuation || undefined,
  }
}
