import { isInfrequentAccess, isOnDemand, streamView, type Index, type KeyElement } from '../values/table'
import { definitions, encryptionKey, keyOf, limits, ownTags, sortedIndexes, type Schema } from './schema'
import { yaml, type Yaml } from './yaml'

/** asTablesYaml is the file of `tabletop tables create --file`, without settings that are the default. */
export function asTablesYaml(schema: Schema): string {
  const { table } = schema
  const { globals, locals } = sortedIndexes(table)
  const attributes = definitions(table).filter((d) => d.AttributeType !== 'S').map((d) => [d.AttributeName, d.AttributeType])
  const tags = ownTags(schema).map((t) => [t.Key, t.Value])
  const indexes = [...globals.map((i) => index(schema, i, false)), ...locals.map((i) => index(schema, i, true))]
  return yaml({
    tables: [{
      name: table.TableName,
      key: key(table.KeySchema),
      attributes: attributes.length > 0 ? Object.fromEntries(attributes) as Record<string, string> : undefined,
      billing: isOnDemand(table) ? undefined : 'provisioned',
      throughput: throughput(limits(table, table)),
      class: isInfrequentAccess(table) ? 'infrequent-access' : undefined,
      indexes: indexes.length > 0 ? indexes : undefined,
      ttl: schema.ttl || undefined,
      recovery_days: schema.recoveryDays || undefined,
      encryption: encryptionKey(table) || undefined,
      stream: streamView(table).toLowerCase().replaceAll('_', '-') || undefined,
      tags: tags.length > 0 ? Object.fromEntries(tags) as Record<string, string> : undefined,
      deletion_protection: table.DeletionProtectionEnabled || undefined,
    }],
  })
}

function index({ table }: Schema, i: Index, local: boolean): Yaml {
  const { ProjectionType, NonKeyAttributes } = i.Projection
  return {
    name: i.IndexName,
    key: key(i.KeySchema),
    local: local || undefined,
    project: ProjectionType === 'KEYS_ONLY' ? 'keys' : NonKeyAttributes,
    throughput: local ? undefined : throughput(limits(table, i)),
  }
}

function key(schema: KeyElement[]): Yaml {
  const { partition, sort } = keyOf(schema)
  const names = (all: string[]) => (all.length === 1 ? all[0]! : all)
  return { partition: names(partition), sort: sort.length > 0 ? names(sort) : undefined }
}

function throughput(l: { reads: number; writes: number } | undefined): Yaml | undefined {
  return l && { read: l.reads || undefined, write: l.writes || undefined }
}
