/** Recordings of requests to both clouds: the emulator's own, and files; see docs/recording.md. */
import { api, json, problemOf, send } from './http'
import type { Seen } from './requests'

const admin = '/_tabletop/recording'

/** Recording describes the emulator's last recording; without `started` there is none. */
export interface Recording { on: boolean; started?: string; requests: number; bytes: number; error?: string }

export const recording = () => json<Recording>(admin)
export const startRecording = () => json<Recording>(`${admin}/start`, 'POST')
export const stopRecording = () => json<Recording>(`${admin}/stop`, 'POST')

/** recordedRequests are the requests of clients in the emulator's last recording, which has ended. Errors: Problem. */
export const recordedRequests = () => json<Seen[]>(`${api}/recording`)

/** requestsOf are the requests of clients in a recording. Errors: Problem, which names a bad line. */
export async function requestsOf(file: File): Promise<Seen[]> {
  const answer = await send(`${api}/recording`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: file })
  if (answer.status !== 200) throw problemOf(answer)
  return JSON.parse(answer.text) as Seen[]
}
