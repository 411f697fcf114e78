import { useCallback, useRef, useState } from 'react'
import { currentRun, type Run, type Slot } from '../../api/load'
import { useCurrentRun } from '../../api/useCurrentRun'

/** useRun is the latest run that a console has started, with its whole series; it follows a run in progress. */
export function useRun() {
  const [run, setRun] = useState<Run>()
  const [series, setSeries] = useState<Slot[]>([])
  const known = useRef({ started: '', have: 0, slots: new Map<number, Slot>() })

  const show = useCallback((next: Run) => {
    if (known.current.started !== next.started) known.current = { started: next.started, have: 0, slots: new Map() }
    next.series.forEach((s) => known.current.slots.set(s.at, s))
    known.current.have = next.change
    setRun(next)
    setSeries([...known.current.slots.values()].sort((a, b) => a.at - b.at))
  }, [])
  const error = useCurrentRun(run, useCallback(() => known.current, []), currentRun, show)
  return { run, series, error, show }
}
