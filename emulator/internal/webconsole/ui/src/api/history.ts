import { scopeQuery } from './dynamodb'
import { api, json } from './http'
import { segment } from '../values/segment'
import type { Item } from '../values/attribute'

/** Bucket is how many changes were made in a part of the time. */
export interface Bucket { from: string; to: string; puts: number; deletes: number }

/** Span is the time whose states are stored, with the changes in it. counted is where the buckets end if they are not all. */
export interface Span { earliest: string; latest: string; counted?: string; buckets: Bucket[] }

/** Page is a part of a list; next continues it, and is empty at the end. A page may be empty although more follows. */
export interface Page<T> { items: T[]; next: string; at?: string }

/** Version is a change of an item. user is empty for changes that the service made itself. */
export interface Version<T> { at: string; kind: string; user: string; operation: string; before: T | null; after: T | null }

/** Changed is an item that is not the same at two moments. */
export interface Changed<T> { key: T; before: T | null; after: T | null }

export interface Moment { at?: string | undefined; index?: string; pk?: string }

/** History reads earlier states of a table or container. Errors of each: Problem, with status 404 if no states are stored. */
export interface History<T> {
  /** span reads the changes of a part of the time, or of all of it. */
  span: (part?: { from: string; to: string }) => Promise<Span>
  /** items reads what was there at a moment, or what is there. */
  items: (moment: Moment, start: string) => Promise<Page<T>>
  /** versions reads the changes of an item, newest first. */
  versions: (key: string, start: string) => Promise<Page<Version<T>>>
  difference: (from: string, to: string, start: string) => Promise<Page<Changed<T>>>
}

/** How many items a page has. */
const limit = '100'

/** tableHistory is the history of a table of DynamoDB. */
export function tableHistory(table: string): History<Item> {
  const read = <T>(view: string, parameters: Record<string, string | undefined> = {}) =>
    json<T>(`${api}/history/dynamodb/${segment(table)}${view}?${withScope(parameters)}`)
  return {
    span: (part) => read('', part),
    items: (moment, start) => read('/items', { ...moment, start, limit }),
    versions: async (key, start) => {
      const { versions, next } = await read<{ versions: Version<Item>[]; next: string }>('/item', { key, start, limit })
      return { items: versions, next }
    },
    difference: async (from, to, start) => {
      const { changes, next } = await read<{ changes: Changed<Item>[]; next: string }>('/difference', { from, to, start, limit })
      return { items: changes, next }
    },
  }
}

function withScope(parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams(scopeQuery())
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.toString()
}
