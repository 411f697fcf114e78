import { useCallback, useEffect, useRef, useState } from 'react'
import { currentSpecs, type RanScenario, type SpecsRun } from '../../api/specs'

/** How often the run is read, in milliseconds: while it runs, and while none does, since another page may start one. */
const pause = { running: 500, idle: 3000 }

export const isActive = (run: SpecsRun | undefined) => run?.state === 'running' || run?.state === 'stopping'

/** useSpecsRun is the latest run that a console has started, with all its scenarios; it follows a run in progress. */
export function useSpecsRun() {
  const [run, setRun] = useState<SpecsRun>()
  const [error, setError] = useState<Error>()
  const known = useRef<{ started: string; scenarios: RanScenario[] }>({ started: '', scenarios: [] })

  const show = useCallback((next: SpecsRun) => {
    if (known.current.started !== next.started) known.current = { started: next.started, scenarios: [] }
    next.scenarios.forEach((s) => { known.current.scenarios[s.number] = s })
    setRun({ ...next, scenarios: [...known.current.scenarios] })
  }, [])

  const active = isActive(run)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const read = async () => {
      try {
        const have = known.current.scenarios.length
        let next = document.hidden ? null : await currentSpecs(have)
        if (next && next.started !== known.current.started && have > 0) next = await currentSpecs(0)
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
  return { run, error, show }
}
