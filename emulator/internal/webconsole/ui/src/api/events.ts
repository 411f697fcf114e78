/** Server-sent events of the emulator: what changed, so that pages refresh by themselves. */
import { api } from './http'

export interface Change { cloud: 'dynamodb' | 'cosmos'; kind: 'schema' | 'items'; name: string }

type Listener = (change: Change) => void

const listeners = new Set<Listener>()
const connections = new Set<(connected: boolean) => void>()
let source: EventSource | undefined
let missed = false
let connectedOnce = false

/** onChange calls a listener with each change until the returned function is called. One connection serves all. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  connect()
  return () => {
    listeners.delete(listener)
  }
}

/** onConnection calls a listener when the connection to the emulator is lost and when it is back. */
export function onConnection(listener: (connected: boolean) => void): () => void {
  connections.add(listener)
  return () => connections.delete(listener)
}

/** connected resolves when changes are reported, or cannot be for now: what a page reads later, it learns the changes of. */
export function connected(): Promise<void> {
  connect()
  const opened = source
  if (!opened || opened.readyState !== EventSource.CONNECTING) return Promise.resolve()
  return new Promise((resolve) => {
    opened.addEventListener('open', () => resolve())
    opened.addEventListener('error', () => resolve())
  })
}

// A hidden page has no connection, because browsers allow six to one server, for all pages together.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return connect()
  source?.close()
  source = undefined
  missed = true
})

function connect() {
  if (source || document.hidden) return
  const opened = (source = new EventSource(`${api}/changes`))
  opened.onmessage = (event) => announce(JSON.parse(event.data as string) as Change)
  opened.onopen = () => {
    connectedOnce = true
    connections.forEach((l) => l(true))
    if (missed) changedAll()
    missed = false
  }
  opened.onerror = () => {
    missed = true
    if (connectedOnce) connections.forEach((l) => l(false))
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return // it connects again by itself
    source = undefined
    setTimeout(connect, 2000)
  }
}

/** announce tells the pages of a change, also of one that this console made itself. */
export function announce(change: Change) {
  for (const listener of [...listeners]) listener(change)
}

/** changedAll makes pages read everything again, because changes were missed. */
function changedAll() {
  for (const cloud of ['dynamodb', 'cosmos'] as const) {
    for (const kind of ['schema', 'items'] as const) announce({ cloud, kind, name: '' })
  }
}
