/** Load tests: the profiles, the run in progress, and the reports of earlier runs. */
import { api, json } from './http'

export interface Stage { rate: number; duration: string; to?: number; swing?: number; period?: string; warm_up?: boolean }

export interface Profile {
  id: string
  system: string
  title: string
  /** What the document says. */
  figure: string
  method?: string
  unscaled?: string
  like_cloud?: string[]
  stages: Stage[]
  seconds: number
  requests: number
  peakRate: number
  database: 'dynamodb' | 'cosmos'
}

export type TargetID = 'embedded' | 'emulator'

export interface Target { id: TargetID; dynamodb?: string; cosmos?: string; reason?: string }

export interface Slot { at: number; sent: number; errors: number; readings: number; p50: number; p90?: number; p99: number; max: number }

export interface Progress {
  phase: 'preparing' | 'attacking'
  share: number
  elapsed_ns: number
  rate: number
  p50: number
  p90: number
  p99: number
  requests: number
  errors: number
  throttled: number
}

export type JobState = 'running' | 'stopping' | 'stopped' | 'ended' | 'failed' | 'timedOut'

export interface StartRun { profile: string; target: TargetID; seconds: number; rateScale: number }

export interface Run {
  profile: string
  title: string
  target: string
  request: StartRun
  /** Planned. */
  seconds: number
  requests: number
  peakRate: number
  started: string
  state: JobState
  message?: string
  /** The id of its report. */
  report?: string
  reportFolder?: string
  progress: Progress | null
  series: Slot[]
  change: number
}

export interface RunSummary {
  id: string
  profile: string
  title: string
  target: string
  version: string
  started: string
  seconds: number
  shortened?: string
  throughput: number
  p50: number
  p99: number
  errors: number
  passed: number
  failed: number
  notMeasured: number
}

export type VerdictState = 'pass' | 'fail' | 'not measured'

export interface Verdict { id: string; metric: string; label?: string; limit: string; measured: string; state: VerdictState; remark?: string; undecided?: string }

export interface Latency { min: number; mean: number; p50: number; p90: number; p95: number; p99: number; p99_9: number; max: number }

export interface Report {
  /** What starts it again, if a console started it. */
  request?: StartRun
  profile: { id: string; title: string; figure: string; method?: string }
  target: string
  version?: string
  started: string
  seconds: number
  quick?: string
  not_applied?: string
  verdicts: Verdict[]
  requests: number
  errors: number
  error_texts?: Record<string, number>
  rate: number
  throughput: number
  latency: Latency
  kinds: { request: string; requests: number; errors: number; latency: Latency; read_units?: number; write_units?: number; request_units?: number }[]
  series: Slot[]
  throttled?: number
}

/** Change is that of a figure from the earlier run to the later one. */
export interface Change { text: string; meaning: 'better' | 'worse' | 'same' | 'neutral' }

export interface ComparedRow { label: string; cells: { text: string; state?: VerdictState }[]; change?: Change }

export interface Comparison {
  runs: { id: string; label: string }[]
  profiles: { profile: { id: string; title: string }; quick?: string; rows: ComparedRow[] }[]
}

export const profiles = () => json<{ profiles: Profile[]; targets: Target[] }>(`${api}/load/profiles`)
export const startRun = (run: StartRun) => json<Run>(`${api}/load/runs`, 'POST', run)
/** currentRun is the latest run that the console has started, with the points of its series since a change; null: none. */
export const currentRun = (after: number) => json<Run | null>(`${api}/load/current?after=${after}`)
export const stopRun = () => json<Run>(`${api}/load/current`, 'DELETE')
export const runs = () => json<RunSummary[]>(`${api}/load/runs`)
export const report = (id: string) => json<Report>(`${api}/load/runs/${encodeURIComponent(id)}`)
export const compare = (ids: readonly string[]) =>
  json<Comparison>(`${api}/load/comparison?${ids.map((id) => `run=${encodeURIComponent(id)}`).join('&')}`)
