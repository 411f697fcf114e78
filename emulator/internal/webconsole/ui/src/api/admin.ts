/** The emulator's admin API, of which /_tabletop/docs has every route. */
import { json } from './http'

const root = '/_tabletop'

/** Heat is the load on a table, a global index or a container by partition and minute; see docs/capacity.md. */
export interface Heat {
  /** TABLE, TABLE/INDEX, or DATABASE/CONTAINER. */
  resource: string
  account?: string
  cloud: 'dynamodb' | 'cosmos'
  /** lo is the first key of the range in base64, or the hash of Cosmos DB; null: from the start. */
  partitions: { id: number; parent?: number; lo: string | null; hi: string | null; bytes: number }[]
  minutes: { at: string; partitions: PartitionLoad[]; keys: KeyLoad[] }[]
}

export interface PartitionLoad { id: number; read: number; write: number; throttled?: number; units?: number; normalized?: number }

export interface KeyLoad { key: string; read: number; write: number; throttled?: number }

export const heat = () => json<Heat[]>(`${root}/heat`)

export interface Bill {
  currency: string; from: string; prices: string; total: string; assumptions?: string[]
  lines: { table?: string; what: string; quantity: string; unit: string; amount?: string }[]
}

export const bill = () => json<Bill>(`${root}/cost`)
