import { useSyncExternalStore } from 'react'
import { Button } from './Button'

export interface Toast { id: number; text: string; action?: { label: string; run: () => void } }

let toasts: Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function set(next: Toast[]) {
  toasts = next
  listeners.forEach((l) => l())
}

/** toast says that something was done, for eight seconds, with an action such as Undo. */
export function toast(text: string, action?: Toast['action']) {
  const id = ++last
  set([...toasts.slice(-2), { id, text, ...(action && { action }) }])
  setTimeout(() => dismiss(id), 8000)
}

function dismiss(id: number) {
  set(toasts.filter((t) => t.id !== id))
}

export function Toasts() {
  const shown = useSyncExternalStore((l) => {
    listeners.add(l)
    return () => listeners.delete(l)
  }, () => toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((t) => (
        <div key={t.id} className="toast">
          <span className="grow break">{t.text}</span>
          {t.action && <Button small onPress={() => { dismiss(t.id); t.action!.run() }}>{t.action.label}</Button>}
          <Button small kind="quiet" icon="close" aria-label="Dismiss" onPress={() => dismiss(t.id)} />
        </div>
      ))}
    </div>
  )
}
