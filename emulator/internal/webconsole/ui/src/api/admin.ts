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

/** Rule is a fault as the admin API takes it; see docs/faults.md. An absent field matches everything. */
export interface Rule {
  name?: string; do: string; operations?: string[]; tables?: string[]; partitionKey?: string; sortKey?: string; identities?: string[]
  latency?: string; latencyP99?: string; realTime?: boolean; members?: number; fraction?: number
  probability?: number; skip?: number; every?: number; times?: number; from?: string; until?: string; for?: string
}

export interface Fault extends Rule { name: string; matched: number; hits: number; waiting: number; ended?: boolean }

export const faults = async () => (await json<{ faults: Fault[] }>(`${root}/faults`)).faults
export const addFault = (rule: Rule) => json<Fault>(`${root}/faults`, 'POST', rule)
export const removeFault = (name: string) => json<void>(`${root}/faults/${encodeURIComponent(name)}`, 'DELETE')
export const clearFaults = () => json<void>(`${root}/faults`, 'DELETE')

/** About is what the emulator says about itself; behaviour is strict, or the cloud behaviours that are enabled. */
export interface About { behaviour: string; on: string[] }

export const info = () => json<About>(`${root}/info`)
