import { scopeQuery } from './dynamodb'
import { api, json, problemOf, send } from './http'
import type { Item } from '../values/attribute'
import { member, parse, plain, type Node } from '../values/losslessJson'
import { segment } from '../values/segment'

/** Bucket is how many changes were made in a part of the time. */
export interface Bucket { from: string; to: string; puts: number; deletes: number }

/** Span is the time whose states are stored, with the changes in it. counted is where the buckets end if they are not all. */
export interface Span {
  earliest: string; latest: string; counted?: string; buckets: Bucket[]
  /** The whole seconds that point-in-time recovery accepts; absent if any moment can be restored. */
  restorable?: { earliest: string; latest: string }
}

/** Page is a part of a list; next continues it, and is empty at the end. A page may be empty although more follows. */
export interface Page<T> { items: T[]; next: string; at?: string }

/** Version is a change of an item. user is empty for changes that the service made itself. */
export interface Version<T> { at: string; kind: string; user: string; operation: string; before: T | null; after: T | null }

/** Changed is an item that is not the same at two moments. */
export interface Changed<T> { before: T | null; after: T | null }

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
    json<T>(`${api}/history/dynamodb/${segment(table)}${view}?${withParameters(scopeQuery(), parameters)}`)
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

/** containerHistory is the history of a container of Cosmos DB. The numbers in its items keep their digits. */
export function containerHistory(database: string, container: string): History<Node> {
  const read = async (view: string, parameters: Record<string, string | undefined> = {}) => {
    const answer = await send(`${containerPath(database, container)}${view}?${withParameters('', parameters)}`)
    if (answer.status >= 400) throw problemOf(answer)
    return answer.text
  }
  return {
    span: async (part) => JSON.parse(await read('', part)) as Span,
    items: async ({ at, pk }, start) => {
      const page = parse(await read('/items', { at, pk, start, limit }))
      return { items: elements(page, 'items'), next: text(page, 'next'), at: text(page, 'at') }
    },
    versions: async (key, start) => {
      const page = parse(await read('/item', { key, start, limit }))
      const version = (v: Node): Version<Node> => ({
        at: text(v, 'at'), kind: text(v, 'kind'), user: text(v, 'user'), operation: text(v, 'operation'), ...states(v),
      })
      return { items: elements(page, 'versions').map(version), next: text(page, 'next') }
    },
    difference: async (from, to, start) => {
      const page = parse(await read('/difference', { from, to, start, limit }))
      return { items: elements(page, 'changes').map(states), next: text(page, 'next') }
    },
  }
}

/** restoreContainer writes the items of a container at a moment, or of the latest, to a new one. Errors: Problem. */
export function restoreContainer(database: string, container: string, at: string | undefined, to: string) {
  return json<void>(`${containerPath(database, container)}/restore`, 'POST', { at, to })
}

function containerPath(database: string, container: string): string {
  return `${api}/history/cosmos/${segment(database)}/${segment(container)}`
}

function elements(page: Node, name: string): Node[] {
  const list = member(page, name)
  return list?.kind === 'array' ? list.items : []
}

function text(node: Node, name: string): string {
  return plain(member(node, name))
}

function states(change: Node): Changed<Node> {
  const state = (name: string) => {
    const item = member(change, name)
    return item?.kind === 'object' ? item : null
  }
  return { before: state('before'), after: state('after') }
}

function withParameters(scope: string, parameters: Record<string, string | undefined>): string {
  const query = new URLSearchParams(scope)
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.toString()
}
