import { ascii } from '../values/document'
import { compact, member, parse, plain, type Node } from '../values/losslessJson'
import { nameOf, segment } from '../values/segment'
import { announce } from './events'
import { api, Problem, send, type Answer } from './http'

export interface Database { id: string; _rid: string; _self: string; _ts: number }

export interface Container {
  id: string
  _rid: string
  _self: string
  _ts: number
  _etag: string
  partitionKey: { paths: string[]; kind: string; version?: number }
  indexingPolicy: Record<string, unknown>
  uniqueKeyPolicy?: { uniqueKeys: { paths: string[] }[] }
  defaultTtl?: number
  [field: string]: unknown
}

export interface Usage { items: number; kilobytes: number }

/** A response of Cosmos DB with its charge in request units. */
export interface Reply { node: Node | undefined; text: string; charge: number; headers: Headers; milliseconds: number }

/** path joins the parts of a resource's path, each encoded. */
export function path(...parts: string[]): string {
  return '/' + parts.map(segment).join('/')
}

/** request makes a request to Cosmos DB. Errors: Problem with the service's code and first line. */
export async function request(method: string, resource: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
  const answer = await send(`${api}/cosmos${resource}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })
  if (answer.status >= 400) throw errorOf(answer)
  if (method !== 'GET' && !headers['x-ms-documentdb-isquery']) announceWrite(resource)
  return {
    node: answer.text ? parse(answer.text) : undefined, text: answer.text, headers: answer.headers,
    charge: Number(answer.headers.get('x-ms-request-charge') ?? 0), milliseconds: answer.milliseconds,
  }
}

/** announceWrite makes the pages read again what this console changed. */
function announceWrite(resource: string) {
  const [, db, , container, feed] = resource.split('/').filter(Boolean).map(nameOf)
  const name = [db, container].filter(Boolean).join('/')
  announce({ cloud: 'cosmos', kind: feed === 'docs' ? 'items' : 'schema', name })
}

function errorOf(answer: Answer): Problem {
  const activity = answer.headers.get('x-ms-activity-id') ?? ''
  try {
    const node = parse(answer.text)
    const message = plain(member(node, 'message')) || plain(member(node, 'detail'))
    const code = plain(member(node, 'code')) || plain(member(node, 'title'))
    return new Problem(answer.status, code, message.split('\r\nActivityId')[0]!, answer.text, activity)
  } catch {
    return new Problem(answer.status, '', answer.text || `Status ${answer.status}`, answer.text, activity)
  }
}

/** all reads every page of a feed. */
export async function all<T>(resource: string, field: string): Promise<T[]> {
  const found: T[] = []
  let continuation = ''
  do {
    const reply = await request('GET', resource, continuation ? { 'x-ms-continuation': continuation } : {})
    found.push(...((JSON.parse(reply.text) as Record<string, T[]>)[field] ?? []))
    continuation = reply.headers.get('x-ms-continuation') ?? ''
  } while (continuation)
  return found
}

export const databases = () => all<Database>('/dbs', 'Databases')
export const containers = (db: string) => all<Container>(path('dbs', db, 'colls'), 'DocumentCollections')

export interface DatabaseWithContainers { database: Database; containers: { container: Container; usage: Usage }[] }

/** account reads all databases with their containers, and how much each holds. */
export async function account(): Promise<DatabaseWithContainers[]> {
  return Promise.all((await databases()).map(async (database) => ({
    database,
    containers: await Promise.all((await containers(database.id)).map(async (c) => await container(database.id, c.id))),
  })))
}

export async function container(db: string, name: string): Promise<{ container: Container; usage: Usage }> {
  const reply = await request('GET', path('dbs', db, 'colls', name), { 'x-ms-documentdb-populatequotainfo': 'true' })
  const usage = Object.fromEntries((reply.headers.get('x-ms-resource-usage') ?? '').split(';').map((f) => f.split('=')))
  return {
    container: JSON.parse(reply.text) as Container,
    usage: { items: Number(usage.documentsCount ?? 0), kilobytes: Number(usage.documentsSize ?? 0) },
  }
}

/** Offer is the throughput of a database or container, in request units per second. */
export interface Offer {
  id: string; _rid: string; _self: string; resource: string; offerResourceId: string; offerVersion: string; offerType: string
  content: { offerThroughput: number; offerAutopilotSettings?: { maxThroughput: number } }
}

export const offers = () => all<Offer>('/offers', 'Offers')

/** replaceOffer changes throughput. Errors: Problem. */
export const replaceOffer = (offer: Offer) => request('PUT', path('offers', offer._rid), {}, JSON.stringify(offer))

export interface Page {
  documents: Node[]
  continuation: string
  charge: number
  milliseconds: number
  /** The response's x-ms-documentdb-query-metrics. */
  metrics: string
  /** The response's x-ms-cosmos-index-utilization, JSON that is escaped for a URL; '' if the page has no rows. */
  indexes: string
}

/** partitionRanges are a container's physical partitions, each with those that it was split from, the oldest first. */
export async function partitionRanges(db: string, name: string): Promise<{ id: string; parents: string[] }[]> {
  const found = await all<{ id: string; parents?: string[] }>(path('dbs', db, 'colls', name, 'pkranges'), 'PartitionKeyRanges')
  return found.map(({ id, parents = [] }) => ({ id, parents }))
}

/** partitionKeyHeader is the partition key of an item as the header x-ms-documentdb-partitionkey has it. */
export function partitionKeyHeader(item: Node, paths: string[]): string {
  return ascii(`[${keyValues(item, paths).map((value) => (value ? compact(value) : '{}')).join(',')}]`)
}

/** keyValues are the values of an item at some paths, such as those of the partition key; undefined where it has none. */
export function keyValues(item: Node, paths: string[]): (Node | undefined)[] {
  return paths.map((p) => p.split('/').slice(1).reduce<Node | undefined>((node, step) => member(node, step), item))
}

/** itemPath is the path of an item under that of its container's items. */
export function itemPath(docs: string, item: Node): string {
  return docs + path(plain(member(item, 'id')))
}

/**
 * query reads one page of a query. Without a partition key it names the range of all hashes: the emulator then runs it over
 * all physical partitions together, also one whose results an SDK would have to merge, such as ORDER BY or COUNT.
 */
export async function query(db: string, name: string, sql: string, options: {
  limit: number; continuation?: string; partitionKey?: string
}): Promise<Page> {
  const headers: Record<string, string> = {
    'x-ms-documentdb-isquery': 'True', 'x-ms-max-item-count': String(options.limit),
    'x-ms-documentdb-populatequerymetrics': 'True', 'x-ms-cosmos-populateindexmetrics-v2': 'True',
    ...(options.continuation && { 'x-ms-continuation': options.continuation }),
    ...(options.partitionKey ? { 'x-ms-documentdb-partitionkey': ascii(options.partitionKey) } : {
      'x-ms-documentdb-query-enablecrosspartition': 'True', 'x-ms-read-key-type': 'EffectivePartitionKeyRange',
    }),
  }
  const reply = await request('POST', path('dbs', db, 'colls', name, 'docs'), headers, JSON.stringify({ query: sql }))
  const documents = member(reply.node, 'Documents')
  return {
    documents: documents?.kind === 'array' ? documents.items : [], charge: reply.charge, milliseconds: reply.milliseconds,
    continuation: reply.headers.get('x-ms-continuation') ?? '', metrics: reply.headers.get('x-ms-documentdb-query-metrics') ?? '',
    indexes: reply.headers.get('x-ms-cosmos-index-utilization') ?? '',
  }
}
