/** Client-side routes: the part of the address after the console's base. */
import { useSyncExternalStore, type AnchorHTMLAttributes, type MouseEvent } from 'react'
import { base } from '../api/http'
import { nameOf, segment } from '../values/segment'

const listeners = new Set<() => void>()

/** Asks before the page is left, while an editor has changes that are not saved. */
let guard: (() => boolean) | undefined

export function setLeaveGuard(ask: (() => boolean) | undefined) {
  guard = ask
}

function notify() {
  listeners.forEach((l) => l())
}

window.addEventListener('popstate', notify)

/** navigate goes to a path of the console, such as /dynamodb/tables. */
export function navigate(to: string, replace = false) {
  if (guard && !guard()) return
  if (replace) history.replaceState(null, '', base + to)
  else history.pushState(null, '', base + to)
  notify()
  if (!replace) window.scrollTo(0, 0)
}

function current(): string {
  return location.pathname.startsWith(base) ? location.pathname.slice(base.length) : location.pathname
}

/** useRoute returns the decoded segments of the path. */
export function useRoute(): string[] {
  const path = useSyncExternalStore((l) => {
    listeners.add(l)
    return () => listeners.delete(l)
  }, current)
  return path.split('/').filter(Boolean).map(nameOf)
}

/** to makes a path of segments, each encoded. */
export function to(...segments: string[]): string {
  return '/' + segments.map(segment).join('/')
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={base + href} onClick={follow} {...rest} />
}
