/** The times that plots can show. live is what this browser has seen since the page opened, for at most five minutes. */
export type Window = 'live' | '1h' | '3h' | '1d' | '15d'

export const windows: readonly { value: Window; label: string }[] = [
  { value: 'live', label: 'Live' }, { value: '1h', label: '1 h' }, { value: '3h', label: '3 h' }, { value: '1d', label: '1 d' },
  { value: '15d', label: '15 d' },
]

/** Length and period of a window in seconds. CloudWatch has minutes for 3 hours, 5 minutes for 3 days, then hours. */
export const lengths: Record<Exclude<Window, 'live'>, { seconds: number; period: number; per: string }> = {
  '1h': { seconds: 3600, period: 60, per: 'per minute' },
  '3h': { seconds: 10_800, period: 60, per: 'per minute' },
  '1d': { seconds: 86_400, period: 300, per: 'per 5 minutes' },
  '15d': { seconds: 1_296_000, period: 3600, per: 'per hour' },
}

/** How long pages wait before they ask for metrics again, in milliseconds. */
export const pause = 5000
