/** DescribeTable's answer, as far as the console reads it, and what follows from it. */
import type { Item } from './attribute'
import { display, keyOf } from './attribute'
import type { KeyPart } from './filter'
import { naturalOrder } from './sorting'

export interface KeyElement { AttributeName: string; KeyType: 'HASH' | 'RANGE' }

export interface Units { ReadCapacityUnits: number; WriteCapacityUnits: number }

/** MaximumUnits limit a table or index that is on demand; -1 is no limit. */
export interface MaximumUnits { MaxReadRequestUnits?: number; MaxWriteRequestUnits?: number }

export interface Index {
  IndexName: string
  KeySchema: KeyElement[]
  Projection: { ProjectionType?: string; NonKeyAttributes?: string[] }
  IndexStatus?: string
  ItemCount?: number
  IndexSizeBytes?: number
  ProvisionedThroughput?: Units
  OnDemandThroughput?: MaximumUnits
}

export interface Table {
  TableName: string
  TableArn: string
  TableStatus: string
  KeySchema: KeyElement[]
  AttributeDefinitions: { AttributeName: string; AttributeType: 'S' | 'N' | 'B' }[]
  ItemCount: number
  TableSizeBytes: number
  CreationDateTime: number
  BillingModeSummary?: { BillingMode: string }
  ProvisionedThroughput?: Units
  OnDemandThroughput?: MaximumUnits
  GlobalSecondaryIndexes?: Index[]
  LocalSecondaryIndexes?: Index[]
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: string }
  LatestStreamArn?: string
  DeletionProtectionEnabled?: boolean
  TableClassSummary?: { TableClass: string }
  SSEDescription?: { Status: string; SSEType?: string; KMSMasterKeyArn?: string }
}

export function keyNames(schema: KeyElement[]): string[] {
  return [...schema].sort((a, b) => a.KeyType.localeCompare(b.KeyType)).map((k) => k.AttributeName)
}

/** keyParts are the key attributes of a table, or of its index, in order, with their types. */
export function keyParts(table: Table, index = ''): KeyPart[] {
  const schema = index ? indexes(table).find((i) => i.IndexName === index)?.KeySchema ?? [] : table.KeySchema
  return keyNames(schema).map((name) => ({
    name,
    type: table.AttributeDefinitions.find((d) => d.AttributeName === name)?.AttributeType ?? 'S',
    isSortKey: schema.some((k) => k.AttributeName === name && k.KeyType === 'RANGE'),
  }))
}

export function indexes(table: Table): Index[] {
  return [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
}

export function isLocal(table: Table, index: string): boolean {
  return table.LocalSecondaryIndexes?.some((i) => i.IndexName === index) ?? false
}

export function isOnDemand(table: Table): boolean {
  return table.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
}

export function isInfrequentAccess(table: Table): boolean {
  return table.TableClassSummary?.TableClass === 'STANDARD_INFREQUENT_ACCESS'
}

/** The view types of a stream, with their texts; '' is no stream. */
export const streamViews = [
  { value: '', label: 'None' }, { value: 'NEW_AND_OLD_IMAGES', label: 'New and old images' },
  { value: 'NEW_IMAGE', label: 'New image' }, { value: 'OLD_IMAGE', label: 'Old image' }, { value: 'KEYS_ONLY', label: 'Keys only' },
] as const

/** streamView is the view type of the table's stream, or '' without one. */
export function streamView(table: Table): string {
  return table.StreamSpecification?.StreamEnabled ? table.StreamSpecification.StreamViewType ?? '' : ''
}

/** isChanging reports whether the table or an index is being created, updated or deleted. */
export function isChanging(table: Table): boolean {
  return [table.TableStatus, ...(table.GlobalSecondaryIndexes ?? []).map((i) => i.IndexStatus)].some((s) => s !== 'ACTIVE')
}

/** primaryKey is the key of an item in its table. */
export function primaryKey(table: Table, item: Item): Item {
  return keyOf(item, keyNames(table.KeySchema))
}

/** keyId tells the items of a table apart. */
export function keyId(table: Table, item: Item): string {
  return JSON.stringify(primaryKey(table, item))
}

/** keyTexts are the values of an item's key as texts. */
export function keyTexts(keys: string[], item: Item): string[] {
  return keys.map((k) => (item[k] ? display(item[k], 60) : ''))
}

/** columns are the attributes of some items: the keys first, then the others in natural order. */
export function columns(items: Item[], keys: string[]): string[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)))
  const others = [...names].filter((name) => !keys.includes(name)).sort(naturalOrder)
  return [...keys.filter((k) => names.has(k) || items.length === 0), ...others]
}
