import { useEffect, useRef } from 'react'
import { onChange, type Change } from './events'

/** useRefresh calls again when a change is of interest; one that comes while the page is busy waits until it is not. */
export function useRefresh(concerns: (change: Change) => boolean, busy: boolean, again: () => void) {
  const latest = useRef({ concerns, busy, again })
  latest.current = { concerns, busy, again }
  const stale = useRef(false)

  useEffect(() => onChange((change) => {
    const now = latest.current
    if (!now.concerns(change)) return
    if (now.busy) stale.current = true
    else now.again()
  }), [])
  useEffect(() => {
    if (busy || !stale.current) return
    stale.current = false
    latest.current.again()
  }, [busy])
}
