import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from './Button'

export interface Toast { id: number; text: string; action?: { label: string; run: () => void } }

/** How long a toast is shown, in milliseconds; longer if there is something to decide. */
const shownFor = 8000
const shownForAction = 20_000

let toasts: Toast[] = []
let last = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

function set(next: Toast[]) {
  toasts = next
  listeners.forEach((l) => l())
}

/** toast says for some seconds that something was done, with an action such as Undo. */
export function toast(text: string, action?: Toast['action']) {
  const next = { id: ++last, text, ...(action && { action }) }
  set([...toasts.slice(-2), next])
  time(next)
}

function time({ id, action }: Toast) {
  timers.set(id, setTimeout(() => dismiss(id), action ? shownForAction : shownFor))
}

function dismiss(id: number) {
  set(toasts.filter((t) => t.id !== id))
}

/** hold keeps the toasts as long as one has the focus or the pointer; release lets their time begin again. */
function hold() {
  timers.forEach(clearTimeout)
  timers.clear()
}

function release() {
  hold()
  toasts.forEach(time)
}

/** Toasts shows the latest toasts. F6 moves the focus to the last one; its buttons give the focus back. */
export function Toasts() {
  const shown = useSyncExternalStore((l) => {
    listeners.add(l)
    return () => listeners.delete(l)
  }, () => toasts)
  const region = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement>(undefined)
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      const button = event.key === 'F6' ? region.current?.querySelector<HTMLElement>('.toast:last-child button') : undefined
      if (!button) return
      event.preventDefault()
      button.focus()
    }
    document.addEventListener('keydown', go)
    return () => document.removeEventListener('keydown', go)
  }, [])
  const enter = (event: React.FocusEvent) => {
    if (!region.current?.contains(event.relatedTarget)) before.current = event.relatedTarget as HTMLElement | null ?? undefined
    hold()
  }
  const leave = (toast: Toast, run?: () => void) => () => {
    const back = before.current?.isConnected ? before.current : document.getElementById('main')
    back?.focus({ preventScroll: true })
    dismiss(toast.id)
    run?.()
  }
  return (
    <div className="toasts" role="status" aria-live="polite" ref={region} onFocus={enter} onBlur={release} onMouseEnter={hold} onMouseLeave={release}>
      {shown.map((t) => (
        <div key={t.id} className="toast">
          <span className="grow break">{t.text}</span>
          {t.action && <><kbd>F6</kbd><Button small aria-keyshortcuts="F6" onPress={leave(t, t.action.run)}>{t.action.label}</Button></>}
          <Button small kind="quiet" icon="close" aria-label="Dismiss" onPress={leave(t)} />
        </div>
      ))}
    </div>
  )
}
