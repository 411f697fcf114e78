/** Texts and formats of the pages about load tests. */
import type { JobState, Profile, RunSummary, VerdictState } from '../../api/load'

export const number = (n: number, digits = 0) => n.toLocaleString('en-US', { maximumFractionDigits: digits })

/** duration writes seconds such as 90 as 1 min 30 s. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds, 1)} s`
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.round(seconds % 60)]
  return [hours && `${hours} h`, minutes && `${minutes} min`, rest && `${rest} s`].filter(Boolean).join(' ')
}

/** secondsOf reads a duration as Go writes it, such as 1m30s or 500ms. */
export function secondsOf(text: string): number {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 }
  return [...text.matchAll(/([\d.]+)(h|ms|m|s)/g)].reduce((sum, [, n, unit]) => sum + Number(n) * units[unit!]!, 0)
}

/** dateText writes a time in UTC. */
export const dateText = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)}`

export const jobTexts: Record<JobState, string> = {
  running: 'Running', stopping: 'Stopping', stopped: 'Stopped', ended: 'Ended', failed: 'Failed', timedOut: 'Took too long',
}

/** verdictOf is what a run's limits say together, as loadtest run prints it. */
export function verdictOf(run: Pick<RunSummary, 'passed' | 'failed' | 'notMeasured'>): VerdictState {
  if (run.failed > 0) return 'fail'
  return run.passed > 0 ? 'pass' : 'not measured'
}

/** stagesText describes the rates of a profile's stages, in requests per second. */
export function stagesText(profile: Profile): string {
  return profile.stages.map((s) => {
    const rate = s.to ? `${number(s.rate, 1)} to ${number(s.to, 1)}` : number(s.rate, 1)
    return `${rate}/s${s.swing ? ` ± ${number(s.swing, 1)}` : ''} for ${duration(secondsOf(s.duration))}${s.warm_up ? ' (warm-up)' : ''}`
  }).join(', ')
}
