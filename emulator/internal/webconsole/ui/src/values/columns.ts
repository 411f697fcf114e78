/** Which attributes or properties are the columns of a grid, and what this browser remembers of that. */
import { systemProperties } from './document'
import type { Node } from './losslessJson'
import { naturalOrder } from './sorting'

/** The most columns that are shown; a wider item is whole in its editor. */
export const maxColumns = 60

/** propertyColumns are the properties of results: id, those of the partition key, the others in natural order, and _ts. */
export function propertyColumns(documents: Node[], paths: string[]): string[] {
  const names = new Set(documents.flatMap((d) => (d.kind === 'object' ? d.members.map((m) => m.name) : [])))
  const first = fixedProperties(paths).filter((n) => names.has(n))
  const others = [...names].filter((n) => !first.includes(n) && !systemProperties.includes(n)).sort(naturalOrder)
  return [...first, ...others, ...(names.has('_ts') ? ['_ts'] : [])]
}

/** fixedProperties are the columns of a container that are always shown: id, and the properties that have the partition key. */
export function fixedProperties(paths: string[]): string[] {
  return [...new Set(['id', ...paths.map((p) => p.split('/')[1] ?? '')])]
}

/** shownColumns are the columns without those that are hidden; the fixed ones cannot be. */
export function shownColumns(names: string[], fixed: string[], hidden: ReadonlySet<string>): string[] {
  return names.filter((n) => fixed.includes(n) || !hidden.has(n)).slice(0, maxColumns)
}

/** readHidden returns the hidden columns of a grid; none if the browser has no such text, or stores nothing. */
export function readHidden(grid: string): ReadonlySet<string> {
  try {
    const names = JSON.parse(localStorage.getItem(keyOf(grid)) ?? '[]') as unknown
    return new Set(Array.isArray(names) ? names.filter((n) => typeof n === 'string') : [])
  } catch {
    return new Set()
  }
}

/** writeHidden stores the hidden columns of a grid, if the browser stores anything. */
export function writeHidden(grid: string, hidden: ReadonlySet<string>) {
  try {
    if (hidden.size === 0) localStorage.removeItem(keyOf(grid))
    else localStorage.setItem(keyOf(grid), JSON.stringify([...hidden]))
  } catch {
    // It is full, or switched off: the choice lasts as long as the page.
  }
}

function keyOf(grid: string): string {
  return `tabletop.columns.${grid}`
}
