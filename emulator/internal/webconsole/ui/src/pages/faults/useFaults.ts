import { useSyncExternalStore } from 'react'
import { faults, type Fault } from '../../api/admin'

/** State is the last list of faults, or why there is none. */
interface State { data?: Fault[]; error?: Error }

/** How often the list is read while someone looks at it, in milliseconds. */
const interval = 2000

let state: State = {}
let timer: ReturnType<typeof setTimeout> | undefined
let latest = 0
const listeners = new Set<() => void>()

/** reloadFaults reads the list again, for all who show it. */
export async function reloadFaults() {
  const turn = ++latest
  clearTimeout(timer)
  const next = document.hidden ? state : await faults().then<State, State>((data) => ({ data }), (error: Error) => ({ ...state, error }))
  if (turn !== latest) return
  state = next
  listeners.forEach((l) => l())
  if (listeners.size > 0) timer = setTimeout(reloadFaults, interval)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) void reloadFaults()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    latest++
    clearTimeout(timer)
  }
}

/** useFaults is the emulator's faults. The header and the page share one list. */
export function useFaults(): State {
  return useSyncExternalStore(subscribe, () => state)
}
