/** The simulated devices of tabletop up. */
import { api, json } from './http'

export interface Fleet {
  at: string; simulated: string; behind_ns: number
  devices: number; online: number; offline: number; buffered: number
  requests: number; requests_per_second: number; stored: number; duplicate: number; rejected: number
  /** Requests that failed and were repeated. */
  errors: number
  /** Devices whose readings were read back and compared at the end. */
  read_back: number
  seed: number
  /** Simulated seconds per second; 0: without pauses. */
  speed: number
  interval_ns: number
}

export interface Simulations {
  fleet: Fleet | null
  history: { at: string; requests_per_second: number; online: number; offline: number; buffered: number; stored: number; errors: number }[]
}

export const simulations = () => json<Simulations>(`${api}/simulations`)
