import { useCallback, useRef, useState } from 'react'

/** useAttempt runs the action of a dialog and then closes it; an action that fails leaves the dialog open, with its error. */
export function useAttempt(onDone: () => void) {
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const done = useRef(onDone)
  done.current = onDone
  const attempt = useCallback(async (action: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await action()
      done.current()
    } catch (e) {
      setError(e as Error)
      setBusy(false)
    }
  }, [])
  return { attempt, error, busy }
}
