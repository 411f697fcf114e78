import { useState } from 'react'
import type { Seen } from '../api/requests'

/** Run is the requests of a client, in the order of time. */
export interface Run {
  requests: Seen[]
  /** A recording has none of the console's own requests. */
  recorded: boolean
}

/** lastRun is kept until the page is loaded again, also while other pages are open. */
let lastRun: Run | undefined

/** useLastRun is the run that was kept, and a function that keeps another one. */
export function useLastRun(): [Run | undefined, (run: Run) => void] {
  const [run, setRun] = useState(lastRun)
  return [run, (next) => {
    lastRun = next
    setRun(next)
  }]
}

/** comparable are those requests of a later run that the last run could have, too. */
export function comparable(requests: Seen[], last: Run): Seen[] {
  return last.recorded ? requests.filter((s) => !s.console) : requests
}
