/** The parts of a key such as USER#123: which are the same for all items of a kind, and which tell the items apart. */

/** Part is a piece of a key between separators. A fixed one names a kind of item, as USER does. */
export interface Part { text: string; isFixed: boolean }

/** parts are the pieces of a key and, between them, its separators as fixed pieces. */
export function partsOf(value: string, isSortKey: boolean): Part[] {
  const pieces = split(value)
  let wasFixed = false
  return pieces.map((text, i) => {
    if (i % 2 === 1) return { text, isFixed: true }
    wasFixed = isName(text, { isFirst: i === 0, isLast: i === pieces.length - 1, wasFixed, isSortKey })
    return { text, isFixed: wasFixed }
  })
}

/** split cuts a key at its separators, which stand at the odd places of the result. A date is not cut at its colons. */
function split(value: string): string[] {
  if (/[#|]/.test(value)) return value.split(/([#|]+)/)
  if (/^[A-Za-z_][\w-]*(?:[:~]|\/(?!\/))/.test(value) && !value.includes('://')) return value.split(/([:~/]+)/)
  const prefix = /^([A-Za-z]{2,})([_-])([^_-]*\d[^_-]*)$/.exec(value)
  return prefix ? prefix.slice(1) : [value]
}

interface Place { isFirst: boolean; isLast: boolean; wasFixed: boolean; isSortKey: boolean }

/**
 * isName reports whether a piece names a kind of item. A word before a separator does, unless it follows another name:
 * in tenant#acme#user#7 these are tenant and user. In capitals a word alone does, as PROFILE, and in a sort key also one
 * after another name, as in ORDER#SUMMARY; in a partition key that is a value, as in STATE#OPEN.
 */
function isName(text: string, { isFirst, isLast, wasFixed, isSortKey }: Place): boolean {
  if (/^[A-Z][A-Z_-]*$/.test(text)) return isFirst || !wasFixed || isSortKey
  return /^[A-Za-z][A-Za-z_-]*$/.test(text) && !isLast && !wasFixed
}

/** shapeOf writes a key with a placeholder for each piece that is not fixed, so that keys of a kind have the same shape. */
export function shapeOf(value: string, isSortKey: boolean): string {
  return partsOf(value, isSortKey).map((p) => (p.isFixed ? p.text : '<…>')).join('')
}

/** kindOf is what pieces have in common: a number, a date, a UUID, or … for any text. */
export function kindOf(texts: string[]): string {
  const all = (pattern: RegExp) => texts.every((t) => pattern.test(t))
  if (all(/^-?\d+(\.\d+)?$/)) return 'number'
  if (all(/^\d{4}-\d\d(-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?)?$/)) return 'date'
  if (all(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)) return 'UUID'
  return '…'
}
