/** The tail of requests to both clouds, as the emulator reports them when they end. */
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
  request?: string
  response?: string
  truncated?: boolean
}

/** tail calls onRequest with each request, and onLost with how many this browser was too slow for. It returns a stop. */
export function tail(onRequest: (seen: Seen) => void, onLost: (count: number) => void): () => void {
  const source = new EventSource(`${api}/requests?bodies=true`)
  source.onmessage = (event) => onRequest(JSON.parse(event.data as string) as Seen)
  source.addEventListener('lost', (event) => {
    onLost((JSON.parse((event as MessageEvent<string>).data) as { count: number }).count)
  })
  return () => source.close()
}
