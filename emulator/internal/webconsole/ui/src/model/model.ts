/** A data model in the JSON of NoSQL Workbench: tables with their keys, indexes, facets and sample items. */
import { record, type AttributeType, type Item } from '../values/attribute'
import { parseDynamoJson } from '../values/dynamoJson'
import { parse } from '../values/losslessJson'
import type { Index, Table } from '../values/table'

export interface Attribute { AttributeName: string; AttributeType: AttributeType }
export interface ModelKey { PartitionKey: Attribute; SortKey?: Attribute }

export interface ModelIndex {
  IndexName: string
  KeyAttributes: ModelKey
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] }
}

/** ModelFacet is a kind of items, with the patterns of their keys, such as USER#{id}. */
export interface ModelFacet {
  FacetName: string
  KeyAttributeAlias: { PartitionKeyAlias: string; SortKeyAlias?: string }
  NonKeyAttributes: string[]
}

export interface ModelTable {
  TableName: string
  KeyAttributes: ModelKey
  NonKeyAttributes: Attribute[]
  TableFacets: ModelFacet[]
  GlobalSecondaryIndexes: ModelIndex[]
  LocalSecondaryIndexes?: ModelIndex[]
  TableData: Item[]
  DataAccess: { MySql: object }
  BillingMode: string
}

export interface Model {
  ModelName: string
  ModelMetadata: { Author: string; DateCreated: string; DateLastModified: string; Description: string; AWSService: string; Version: string }
  DataModel: ModelTable[]
}

/** newModel is a model with these tables; its dates are those of this moment. */
export function newModel(name: string, description: string, tables: ModelTable[], now = new Date()): Model {
  const date = now.toLocaleString('en-US', { month: 'short', day: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' })
  return {
    ModelName: name,
    ModelMetadata: { Author: '', DateCreated: date, DateLastModified: date, Description: description, AWSService: 'Amazon DynamoDB', Version: '3.0' },
    DataModel: tables,
  }
}

export const printModel = (model: Model) => JSON.stringify(model, null, 2)

/** readModel reads a model; members that it may lack are empty. Errors: JSONError with the place, or Error with the table. */
export function readModel(text: string): Model {
  parse(text)
  const model = JSON.parse(text) as Partial<Model> | null
  if (!Array.isArray(model?.DataModel)) throw new Error('A model has an array DataModel with its tables')
  const name = typeof model.ModelName === 'string' ? model.ModelName : ''
  const description = String(model.ModelMetadata?.Description ?? '')
  return { ...newModel(name, description, model.DataModel.map(readTable)), ...(model.ModelMetadata && { ModelMetadata: model.ModelMetadata }) }
}

function readTable(table: Partial<ModelTable> | null, i: number): ModelTable {
  const place = `Table ${i + 1}`
  if (typeof table?.TableName !== 'string') throw new Error(`${place} has no TableName`)
  const list = <T>(name: keyof ModelTable): T[] => {
    const value = table[name] ?? []
    if (!Array.isArray(value) || value.some((v) => typeof v !== 'object' || v === null)) throw new Error(`${place}: ${name} is an array of objects`)
    return value as T[]
  }
  const index = (x: Partial<ModelIndex>, n: number): ModelIndex => ({
    IndexName: String(x.IndexName ?? ''), KeyAttributes: readKey(x.KeyAttributes, `${place}, index ${n + 1}`),
    Projection: { ...x.Projection, ProjectionType: x.Projection?.ProjectionType ?? 'ALL' },
  })
  return {
    TableName: table.TableName, KeyAttributes: readKey(table.KeyAttributes, place), NonKeyAttributes: list('NonKeyAttributes'),
    TableFacets: list<Partial<ModelFacet>>('TableFacets').map(readFacet),
    GlobalSecondaryIndexes: list<Partial<ModelIndex>>('GlobalSecondaryIndexes').map(index),
    LocalSecondaryIndexes: list<Partial<ModelIndex>>('LocalSecondaryIndexes').map(index),
    TableData: list<object>('TableData').map((item, n) => readItem(item, `${place}, item ${n + 1}`)),
    DataAccess: { MySql: {} }, BillingMode: table.BillingMode ?? 'PAY_PER_REQUEST',
  }
}

function readKey(key: Partial<ModelKey> | undefined, place: string): ModelKey {
  const read = (a: Partial<Attribute>): Attribute => ({ AttributeName: String(a.AttributeName ?? ''), AttributeType: a.AttributeType ?? 'S' })
  if (!key?.PartitionKey) throw new Error(`${place} has no PartitionKey in KeyAttributes`)
  return { PartitionKey: read(key.PartitionKey), ...(key.SortKey && { SortKey: read(key.SortKey) }) }
}

function readFacet(facet: Partial<ModelFacet>): ModelFacet {
  const alias = facet.KeyAttributeAlias
  return {
    FacetName: String(facet.FacetName ?? ''),
    KeyAttributeAlias: {
      PartitionKeyAlias: String(alias?.PartitionKeyAlias ?? ''), ...(alias?.SortKeyAlias !== undefined && { SortKeyAlias: String(alias.SortKeyAlias) }),
    },
    NonKeyAttributes: Array.isArray(facet.NonKeyAttributes) ? facet.NonKeyAttributes.map(String) : [],
  }
}

function readItem(item: object, place: string): Item {
  try {
    return parseDynamoJson(JSON.stringify(item))
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`)
  }
}

export function keyAttributes(key: ModelKey): Attribute[] {
  return key.SortKey ? [key.PartitionKey, key.SortKey] : [key.PartitionKey]
}

export function allIndexes(table: ModelTable): ModelIndex[] {
  return [...table.GlobalSecondaryIndexes, ...(table.LocalSecondaryIndexes ?? [])]
}

/** tableOf is the table as DescribeTable would describe it, for the picture of its design. */
export function tableOf(table: ModelTable): Table {
  const schema = (key: ModelKey) => keyAttributes(key).map((a, i) => ({ AttributeName: a.AttributeName, KeyType: i === 0 ? 'HASH' as const : 'RANGE' as const }))
  const index = (x: ModelIndex): Index => ({ IndexName: x.IndexName, KeySchema: schema(x.KeyAttributes), Projection: x.Projection })
  return {
    TableName: table.TableName, TableArn: '', TableStatus: 'ACTIVE', KeySchema: schema(table.KeyAttributes), AttributeDefinitions: [],
    ItemCount: table.TableData.length, TableSizeBytes: 0, CreationDateTime: 0,
    GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(index), LocalSecondaryIndexes: (table.LocalSecondaryIndexes ?? []).map(index),
  }
}

/** modelTable is a table on demand; its other attributes are those of the indexes' keys and of the items. */
export function modelTable(name: string, key: ModelKey, { indexes = [], locals = [], facets = [], items = [] }: {
  indexes?: ModelIndex[]; locals?: ModelIndex[]; facets?: ModelFacet[]; items?: Item[]
}): ModelTable {
  const found = record<AttributeType>()
  for (const a of [...indexes, ...locals].flatMap((x) => keyAttributes(x.KeyAttributes))) found[a.AttributeName] ??= a.AttributeType
  for (const item of items) for (const [n, value] of Object.entries(item)) found[n] ??= Object.keys(value)[0] as AttributeType
  const own = keyAttributes(key).map((a) => a.AttributeName)
  return {
    TableName: name, KeyAttributes: key,
    NonKeyAttributes: Object.entries(found).filter(([n]) => !own.includes(n)).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    TableFacets: facets, GlobalSecondaryIndexes: indexes, LocalSecondaryIndexes: locals, TableData: items,
    DataAccess: { MySql: {} }, BillingMode: 'PAY_PER_REQUEST',
  }
}
