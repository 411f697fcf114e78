/** The changes of a table, from its stream, and of a container, from its change feed, as they happen. */
import { member, plain, print, type Node } from '../values/losslessJson'
import { partitionRanges, path, request } from './cosmos'
import { call } from './dynamodb'
import { Problem } from './http'

/** Change is a changed item, with its images as JSON as far as the feed has them. */
export interface FeedChange { id: string; seconds: number; event: string; key: string; before?: string | undefined; after?: string | undefined; source: string }

/** Next reads the changes since the last time, the oldest first. */
export type Next = () => Promise<FeedChange[]>

export interface Shard { ShardId: string; ParentShardId?: string; SequenceNumberRange: { StartingSequenceNumber?: string; EndingSequenceNumber?: string } }

/** The most shards whose records are read, and how many pages of a partition in one go. */
const maxShards = 100
const maxPages = 10

/** shards returns the shards of a stream, the oldest first. */
export async function shards(arn: string): Promise<Shard[]> {
  const found: Shard[] = []
  let from: string | undefined
  do {
    const { output } = await call<{ StreamDescription: { Shards: Shard[]; LastEvaluatedShardId?: string } }>('DescribeStream',
      { StreamArn: arn, ...(from && { ExclusiveStartShardId: from }) })
    found.push(...output.StreamDescription.Shards)
    from = output.StreamDescription.LastEvaluatedShardId
  } while (from)
  return found
}

interface StreamRecord {
  eventID: string; eventName: string; userIdentity?: { PrincipalId: string }
  dynamodb: { ApproximateCreationDateTime: number; Keys: object; NewImage?: object; OldImage?: object; SequenceNumber: string }
}

/** streamOf reads a stream from now on, or from its oldest record. onShards is told its shards. */
export function streamOf(arn: string, fromOldest: boolean, onShards: (all: Shard[]) => void): Next {
  /** The iterator of each shard that has been seen; empty: all its records have been read. */
  const iterators = new Map<string, string>()
  let started = false
  return async () => {
    const all = await shards(arn)
    onShards(all)
    for (const shard of all.slice(-maxShards)) {
      if (iterators.has(shard.ShardId)) continue
      const closed = shard.SequenceNumberRange.EndingSequenceNumber !== undefined
      const oldest = started || fromOldest
      iterators.set(shard.ShardId, oldest || !closed ? await iteratorOf(arn, shard, oldest ? 'TRIM_HORIZON' : 'LATEST') : '')
    }
    started = true
    const changes: FeedChange[] = []
    for (const [shard, iterator] of iterators) {
      if (!iterator) continue
      try {
        const { output } = await call<{ Records: StreamRecord[]; NextShardIterator?: string }>('GetRecords', { ShardIterator: iterator })
        iterators.set(shard, output.NextShardIterator ?? '')
        changes.push(...output.Records.map((r) => changeOf(r, shard)))
      } catch (error) {
        // After a pause of more than 15 minutes, the iterator has expired: the shard is read from its oldest record.
        if (error instanceof Problem && /Expired|Trimmed/.test(error.code)) iterators.delete(shard)
        else throw error
      }
    }
    return changes.sort((a, b) => a.seconds - b.seconds)
  }
}

async function iteratorOf(arn: string, shard: Shard, type: string): Promise<string> {
  return (await call<{ ShardIterator: string }>('GetShardIterator', { StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: type })).output.ShardIterator
}

function changeOf({ eventID, eventName, userIdentity, dynamodb: d }: StreamRecord, source: string): FeedChange {
  const text = (image: object | undefined) => image && JSON.stringify(image, null, 2)
  return {
    id: eventID, seconds: d.ApproximateCreationDateTime, event: userIdentity ? `${eventName} by time to live` : eventName, key: JSON.stringify(d.Keys),
    before: text(d.OldImage), after: text(d.NewImage), source,
  }
}

/** changeFeedOf reads a change feed from now on, or from the beginning; allVersions needs a change feed policy. */
export function changeFeedOf(db: string, name: string, keys: string[], fromBeginning: boolean, allVersions: boolean): Next {
  /** Where each partition's feed is, as ETags; empty: at its beginning. */
  const positions = new Map<string, string>()
  let started = false
  const locate = async () => {
    for (const { id, parents } of await partitionRanges(db, name)) {
      if (positions.has(id)) continue
      const parent = [...parents].reverse().find((p) => positions.has(p))
      positions.set(id, parent !== undefined ? positions.get(parent)! : started || fromBeginning ? '' : '*')
    }
    started = true
  }
  const mode: Record<string, string> = allVersions ? { 'A-IM': 'Full-Fidelity Feed', 'x-ms-cosmos-changefeed-wire-format-version': '2021-09-15' } : { 'A-IM': 'Incremental Feed' }
  return async () => {
    if (!started) await locate()
    const changes: FeedChange[] = []
    for (const [range, position] of [...positions]) {
      let from = position
      for (let page = 0; page < maxPages; page++) {
        const reply = await request('GET', path('dbs', db, 'colls', name, 'docs'), {
          ...mode, 'x-ms-documentdb-partitionkeyrangeid': range, ...(from && { 'If-None-Match': from }),
        }).catch((error: unknown) => {
          if (error instanceof Problem && error.status === 410) return undefined // the partition has been split
          throw error
        })
        if (!reply) {
          await locate()
          positions.delete(range)
          break
        }
        from = reply.headers.get('etag') ?? from
        positions.set(range, from)
        const documents = member(reply.node, 'Documents')
        if (documents?.kind !== 'array' || documents.items.length === 0) break
        changes.push(...documents.items.map((d) => (allVersions ? versionOf(d, keys, range) : latestOf(d, keys, range))))
      }
    }
    return changes.sort((a, b) => a.seconds - b.seconds)
  }
}

function latestOf(document: Node, keys: string[], source: string): FeedChange {
  const etag = plain(member(document, '_etag'))
  return { id: `${keyOf(document, keys)} ${etag}`, seconds: Number(plain(member(document, '_ts'))), event: 'changed', key: keyOf(document, keys), after: print(document), source }
}

function versionOf(version: Node, keys: string[], source: string): FeedChange {
  const [current, previous, metadata] = [member(version, 'current'), member(version, 'previous'), member(version, 'metadata')]
  const shown = (n: Node | undefined) => (n?.kind === 'object' && n.members.length > 0 ? print(n) : undefined)
  const item = shown(current) ? current : shown(previous) ? previous : metadata
  return {
    id: `${source} ${plain(member(metadata, 'lsn'))} ${keyOf(item, keys)} ${plain(member(metadata, 'operationType'))}`,
    seconds: Number(plain(member(metadata, 'crts'))), event: plain(member(metadata, 'operationType')), key: keyOf(item, keys),
    before: shown(previous), after: shown(current), source,
  }
}

/** keyOf is the id of an item and its partition key. */
function keyOf(item: Node | undefined, keys: string[]): string {
  const values = keys.map((k) => k.split('/').slice(1).reduce<Node | undefined>((node, step) => member(node, step), item))
  return [member(item, 'id'), ...values].filter((v) => v !== undefined).map((v) => plain(v)).join(' · ')
}
