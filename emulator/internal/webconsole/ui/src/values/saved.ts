/** The queries that were saved in this browser, by their names. */
import { naturalOrder } from './sorting'

export interface Saved<Q> { name: string; query: Q }

/** withSaved returns the queries with one more, in natural order; it replaces the one with the same name. */
export function withSaved<Q>(all: Saved<Q>[], saved: Saved<Q>): Saved<Q>[] {
  return [...all.filter((s) => s.name !== saved.name), saved].sort((a, b) => naturalOrder(a.name, b.name))
}

/** withoutSaved returns the queries without that of a name. */
export function withoutSaved<Q>(all: Saved<Q>[], name: string): Saved<Q>[] {
  return all.filter((s) => s.name !== name)
}

/** readSaved returns the saved queries of a kind; those that are not what isQuery accepts are left out. */
export function readSaved<Q>(kind: string, isQuery: (query: unknown) => query is Q): Saved<Q>[] {
  try {
    const all = JSON.parse(localStorage.getItem(savedKey(kind)) ?? '[]') as unknown
    return Array.isArray(all) ? all.filter((s): s is Saved<Q> => typeof s?.name === 'string' && isQuery(s.query)) : []
  } catch {
    return []
  }
}

/** writeSaved stores the queries of a kind, and reports whether the browser could. */
export function writeSaved<Q>(kind: string, all: Saved<Q>[]): boolean {
  try {
    localStorage.setItem(savedKey(kind), JSON.stringify(all))
    return true
  } catch {
    return false
  }
}

export function savedKey(kind: string): string {
  return `tabletop.saved.${kind}`
}
