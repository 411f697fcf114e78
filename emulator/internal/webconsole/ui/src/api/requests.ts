/** The tail of requests to both clouds, as the emulator reports them when they end. */
import type { Access } from './access'
import { api } from './http'

export interface Seen {
  id: number
  cloud: 'dynamodb' | 'cosmos'
  time: string
  durationMs: number
  operation: string
  target: string[]
  status: number
  error?: string
  user?: string
  client: string
  /** Sent by a console. */
  console?: boolean
  /** A fault kept the response from the client. */
  dropped?: boolean
  capacity?: { reads: number; writes: number }
  /** In request units, of Cosmos DB. */
  requestCharge?: number
  /** Of a denied request: what policies do not allow. */
  accesses?: Access[]
  request?: string
  response?: string
  truncated?: boolean
}

export interface TailEvents {
  request: (seen: Seen) => void
  /** How many requests this browser was too slow for. */
  lost: (count: number) => void
  /** Whether requests are reported from now on. */
  connection: (connected: boolean) => void
}

/** tail reports requests as they end, with their bodies or without, until the returned function is called. */
export function tail(on: TailEvents, bodies = true): () => void {
  const source = new EventSource(`${api}/requests?bodies=${bodies}`)
  source.onopen = () => on.connection(true)
  source.onerror = () => on.connection(false)
  source.onmessage = (event) => on.request(JSON.parse(event.data as string) as Seen)
  source.addEventListener('lost', (event) => {
    on.lost((JSON.parse((event as MessageEvent<string>).data) as { count: number }).count)
  })
  return () => source.close()
}
