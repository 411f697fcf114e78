/** A table's schema, as DescribeTable and its neighbours describe it, and the requests and resources that make it. */
import type { Tag } from '../api/dynamodb'
import { isInfrequentAccess, isOnDemand, keyNames, streamView, type Index, type KeyElement, type MaximumUnits, type Table, type Units } from '../values/table'

export interface Schema {
  table: Table
  /** The attribute of time to live, or '' if it is off. */
  ttl: string
  /** The days of point-in-time recovery, or 0 if it is off. */
  recoveryDays: number
  tags: Tag[]
}

/** Key has the names of a key's attributes; only indexes can have several of a kind. */
export interface Key { partition: string[]; sort: string[] }

export function keyOf(schema: KeyElement[]): Key {
  const names = (type: string) => keyNames(schema.filter((k) => k.KeyType === type))
  return { partition: names('HASH'), sort: names('RANGE') }
}

/** ownTags are the tags without those that AWS sets, which nobody else can. */
export function ownTags({ tags }: Schema): Tag[] {
  return tags.filter((t) => !t.Key.startsWith('aws:'))
}

/** encryptionKey is the ARN of the KMS key, 'aws' for the key aws/dynamodb, or '' for DynamoDB's own key. */
export function encryptionKey(table: Table): string {
  const sse = table.SSEDescription
  if (sse?.SSEType !== 'KMS' || !['ENABLED', 'ENABLING', 'UPDATING'].includes(sse.Status)) return ''
  const arn = sse.KMSMasterKeyArn ?? ''
  return arn === '' || arn.endsWith('alias/aws/dynamodb') ? 'aws' : arn
}

/** limits are the units of a provisioned table or index, or the maximum of one on demand; undefined without a maximum. */
export function limits(table: Table, of: { ProvisionedThroughput?: Units; OnDemandThroughput?: MaximumUnits }) {
  const { ProvisionedThroughput: p, OnDemandThroughput: o } = of
  if (!isOnDemand(table)) return p && { reads: p.ReadCapacityUnits, writes: p.WriteCapacityUnits }
  const [reads, writes] = [Math.max(o?.MaxReadRequestUnits ?? 0, 0), Math.max(o?.MaxWriteRequestUnits ?? 0, 0)]
  return reads || writes ? { reads, writes } : undefined
}

/** throughput leaves out a maximum that is not set: CreateTable refuses -1, with which UpdateTable removes one. */
function throughput(table: Table, of: Table | Index) {
  const l = limits(table, of)
  if (!l) return {}
  if (!isOnDemand(table)) return { ProvisionedThroughput: { ReadCapacityUnits: l.reads, WriteCapacityUnits: l.writes } }
  return {
    OnDemandThroughput: { ...(l.reads > 0 && { MaxReadRequestUnits: l.reads }), ...(l.writes > 0 && { MaxWriteRequestUnits: l.writes }) },
  }
}

/** createTable is what CreateTable and CloudFormation have in common. */
export function createTable({ table }: Schema) {
  const index = (i: Index, local: boolean) => ({
    IndexName: i.IndexName, KeySchema: elements(i.KeySchema),
    Projection: {
      ProjectionType: i.Projection.ProjectionType ?? 'ALL',
      ...(i.Projection.NonKeyAttributes && { NonKeyAttributes: i.Projection.NonKeyAttributes }),
    },
    ...(!local && throughput(table, i)),
  })
  const { globals, locals } = sortedIndexes(table)
  return {
    TableName: table.TableName,
    AttributeDefinitions: definitions(table),
    KeySchema: elements(table.KeySchema),
    BillingMode: isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED',
    ...throughput(table, table),
    ...(globals.length > 0 && { GlobalSecondaryIndexes: globals.map((i) => index(i, false)) }),
    ...(locals.length > 0 && { LocalSecondaryIndexes: locals.map((i) => index(i, true)) }),
    ...(isInfrequentAccess(table) && { TableClass: 'STANDARD_INFREQUENT_ACCESS' }),
    ...(table.DeletionProtectionEnabled && { DeletionProtectionEnabled: true }),
  }
}

/** definitions are the attributes of the keys; those of an index that is being deleted would be refused. */
export function definitions(table: Table) {
  const { globals, locals } = sortedIndexes(table)
  const used = new Set([table, ...globals, ...locals].flatMap((t) => keyNames(t.KeySchema)))
  return table.AttributeDefinitions.filter((d) => used.has(d.AttributeName))
    .map(({ AttributeName, AttributeType }) => ({ AttributeName, AttributeType }))
}

function elements(schema: KeyElement[]) {
  return schema.map(({ AttributeName, KeyType }) => ({ AttributeName, KeyType }))
}

/** sortedIndexes are the indexes by name, without those that are being deleted. */
export function sortedIndexes(table: Table): { globals: Index[]; locals: Index[] } {
  const sorted = (all: Index[] = []) => all.filter((i) => i.IndexStatus !== 'DELETING')
    .sort((a, b) => (a.IndexName < b.IndexName ? -1 : 1))
  return { globals: sorted(table.GlobalSecondaryIndexes), locals: sorted(table.LocalSecondaryIndexes) }
}

/** typeOf is the type of a key attribute. */
export function typeOf(table: Table, attribute: string): string {
  return table.AttributeDefinitions.find((d) => d.AttributeName === attribute)?.AttributeType ?? 'S'
}

/** stream is the StreamSpecification of CreateTable. */
export function stream(table: Table) {
  const view = streamView(table)
  return view ? { StreamSpecification: { StreamEnabled: true, StreamViewType: view } } : {}
}

/** identifier is a table's name in Pascal case, as CloudFormation and CDK name resources. */
export function identifier(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean).map((w) => w[0]!.toUpperCase() + w.slice(1))
  return words.join('').replace(/^(?=[0-9])/, 'Table') || 'Table'
}
