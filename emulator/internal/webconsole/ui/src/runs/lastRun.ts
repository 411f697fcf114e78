import { useState } from 'react'
import type { Seen } from '../api/requests'

/** lastRun is kept until the page is loaded again, also while other pages are open. */
let lastRun: Seen[] | undefined

/** useLastRun is the run that was kept, in the order of time, and a function that keeps another one. */
export function useLastRun(): [Seen[] | undefined, (run: Seen[]) => void] {
  const [run, setRun] = useState(lastRun)
  return [run, (next) => {
    lastRun = next
    setRun(next)
  }]
}
