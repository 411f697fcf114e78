import { useCallback, useEffect, useRef, useState } from 'react'
import { currentRun, type Run, type Slot } from '../../api/load'

/** How often the run is read, in milliseconds: while it runs, and while none does, since another page may start one. */
const pause = { running: 500, idle: 3000 }

export const isActive = (run: Run | undefined) => run?.state === 'running' || run?.state === 'stopping'

/** useRun is the latest run that a console has started, with its whole series; it follows a run in progress. */
export function useRun() {
  const [run, setRun] = useState<Run>()
  const [series, setSeries] = useState<Slot[]>([])
  const [error, setError] = useState<Error>()
  const known = useRef({ started: '', change: 0, slots: new Map<number, Slot>() })

  const show = useCallback((next: Run) => {
    if (known.current.started !== next.started) known.current = { started: next.started, change: 0, slots: new Map() }
    next.series.forEach((s) => known.current.slots.set(s.at, s))
    known.current.change = next.change
    setRun(next)
    setSeries([...known.current.slots.values()].sort((a, b) => a.at - b.at))
  }, [])

  const active = isActive(run)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const read = async () => {
      try {
        let next = document.hidden ? null : await currentRun(known.current.change)
        if (next && next.started !== known.current.started && known.current.change > 0) next = await currentRun(0)
        if (ended) return
        setError(undefined)
        if (next) show(next)
      } catch (e) {
        if (!ended) setError(e as Error)
      }
      if (!ended) timer = setTimeout(read, active ? pause.running : pause.idle)
    }
    void read()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [active, show])
  return { run, series, error, show }
}
