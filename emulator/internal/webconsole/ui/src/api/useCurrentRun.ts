import { useEffect, useState } from 'react'

/** How often the run is read, in milliseconds: while it runs, and while none does, since another page may start one. */
const pause = { running: 500, idle: 3000 }

interface AnyRun { started: string; state: string }

export const isActive = (run: AnyRun | undefined) => run?.state === 'running' || run?.state === 'stopping'

/** Known is what a page has of the latest run: when that started, and how much of it the page has; 0 is nothing. */
export interface Known { started: string; have: number }

/**
 * useCurrentRun follows the latest run that a console has started. read returns what is new of it after have, or null if
 * there is none; known, show and read must not change from one render to the next. Of a later run, all is read.
 */
export function useCurrentRun<R extends AnyRun>(run: R | undefined, known: () => Known, read: (have: number) => Promise<R | null>,
  show: (next: R) => void): Error | undefined {
  const [error, setError] = useState<Error>()
  const active = isActive(run)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let ended = false
    const again = async () => {
      try {
        const { started, have } = known()
        let next = document.hidden ? null : await read(have)
        if (next && next.started !== started && have > 0) next = await read(0)
        if (ended) return
        setError(undefined)
        if (next) show(next)
      } catch (e) {
        if (!ended) setError(e as Error)
      }
      if (!ended) timer = setTimeout(again, active ? pause.running : pause.idle)
    }
    void again()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [active, known, read, show])
  return error
}
