import { useCallback, useRef, useState } from 'react'
import { currentSpecs, type RanScenario, type SpecsRun } from '../../api/specs'
import { useCurrentRun } from '../../api/useCurrentRun'

/** useSpecsRun is the latest run that a console has started, with all its scenarios; it follows a run in progress. */
export function useSpecsRun() {
  const [run, setRun] = useState<SpecsRun>()
  const known = useRef<{ started: string; scenarios: RanScenario[] }>({ started: '', scenarios: [] })

  const show = useCallback((next: SpecsRun) => {
    if (known.current.started !== next.started) known.current = { started: next.started, scenarios: [] }
    next.scenarios.forEach((s) => { known.current.scenarios[s.number] = s })
    setRun({ ...next, scenarios: [...known.current.scenarios] })
  }, [])
  const have = useCallback(() => ({ started: known.current.started, have: known.current.scenarios.length }), [])
  const error = useCurrentRun(run, have, currentSpecs, show)
  return { run, error, show }
}
