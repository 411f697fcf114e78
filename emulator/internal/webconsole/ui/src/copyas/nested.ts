/** The parts of batches and transactions, whatever another client sent in their place. */

/** members are those of a structure of the API; names that are code are left out. */
export function members(value: unknown): [string, unknown][] {
  return entries(value).filter(([name]) => /^[A-Za-z]+$/.test(name))
}

/** entries are those of a map, such as that of a batch by table. */
export function entries(value: unknown): [string, unknown][] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : []
}

/** elements are those of a list. */
export function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** itemType is the type of the items of a transaction. */
export function itemType(items: unknown): 'TransactGetItem' | 'TransactWriteItem' {
  return elements(items).some((item) => members(item).some(([name]) => name === 'Get')) ? 'TransactGetItem' : 'TransactWriteItem'
}

/** isWriteBatch reports whether a batch writes; its tables then have lists. */
export function isWriteBatch(requestItems: unknown): boolean {
  return entries(requestItems).some(([, requests]) => Array.isArray(requests))
}
