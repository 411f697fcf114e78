import { isInfrequentAccess, isOnDemand, streamView, type Index } from '../values/table'
import { definitions, encryptionKey, keyOf, limits, ownTags, sortedIndexes, type Schema } from './schema'
import { quote } from './yaml'

type Argument = readonly [name: string, value: string | number | boolean | undefined]

/** asTerraform is the resource aws_dynamodb_table of the AWS provider. */
export function asTerraform(schema: Schema): string {
  const { table, ttl, recoveryDays } = schema
  const { partition, sort } = keyOf(table.KeySchema)
  const { globals, locals } = sortedIndexes(table)
  const [key, view, tags] = [encryptionKey(table), streamView(table), ownTags(schema)]
  const blocks = [
    ...definitions(table).map((d) => block('attribute', [['name', d.AttributeName], ['type', d.AttributeType]])),
    ...maximum(schema, table),
    ...globals.map((i) => globalIndex(schema, i)),
    ...locals.map((i) => block('local_secondary_index', [
      ['name', i.IndexName], ['range_key', keyOf(i.KeySchema).sort[0]], ...projection(i),
    ])),
    ...(ttl ? [block('ttl', [['attribute_name', ttl], ['enabled', true]])] : []),
    ...(recoveryDays ? [block('point_in_time_recovery', [['enabled', true], ['recovery_period_in_days', recoveryDays]])] : []),
    ...(key ? [block('server_side_encryption', [['enabled', true], ['kms_key_arn', key === 'aws' ? undefined : key]])] : []),
    ...(tags.length > 0 ? [`tags = {\n${indent(args(tags.map((t) => [text(t.Key), t.Value])))}\n}`] : []),
  ]
  const head = args([
    ['name', table.TableName], ['billing_mode', isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED'],
    ...units(schema, table), ['hash_key', partition[0]], ['range_key', sort[0]],
    ['table_class', isInfrequentAccess(table) ? 'STANDARD_INFREQUENT_ACCESS' : undefined],
    ['stream_enabled', view ? true : undefined], ['stream_view_type', view || undefined],
    ['deletion_protection_enabled', table.DeletionProtectionEnabled || undefined],
  ])
  return `resource "aws_dynamodb_table" ${quote(resourceName(table.TableName))} {\n${indent([head, ...blocks].join('\n\n'))}\n}\n`
}

/** globalIndex has key_schema, which newer providers know, only if its key has several attributes of a kind. */
function globalIndex(schema: Schema, i: Index): string {
  const { partition, sort } = keyOf(i.KeySchema)
  const several = partition.length > 1 || sort.length > 1
  const keys = i.KeySchema.map((k) => block('key_schema', [['attribute_name', k.AttributeName], ['key_type', k.KeyType]]))
  return block('global_secondary_index', [
    ['name', i.IndexName],
    ...(several ? [] : [['hash_key', partition[0]], ['range_key', sort[0]]] as const),
    ...projection(i), ...units(schema, i),
  ], [...(several ? keys : []), ...maximum(schema, i)])
}

function projection(i: Index): Argument[] {
  return [['projection_type', i.Projection.ProjectionType ?? 'ALL'],
    ['non_key_attributes', i.Projection.NonKeyAttributes && `[${i.Projection.NonKeyAttributes.map(text).join(', ')}]`]]
}

function units({ table }: Schema, of: Index | Schema['table']): Argument[] {
  const l = isOnDemand(table) ? undefined : limits(table, of)
  return [['read_capacity', l?.reads], ['write_capacity', l?.writes]]
}

function maximum({ table }: Schema, of: Index | Schema['table']): string[] {
  const l = isOnDemand(table) ? limits(table, of) : undefined
  if (!l) return []
  return [block('on_demand_throughput', [['max_read_request_units', l.reads || undefined], ['max_write_request_units', l.writes || undefined]])]
}

function block(name: string, list: readonly Argument[], inner: string[] = []): string {
  return `${name} {\n${indent([args(list), ...inner].join('\n\n'))}\n}`
}

/** args aligns the equals signs, as terraform fmt does. A list is written as it is. */
function args(list: readonly Argument[]): string {
  const given = list.filter(([, v]) => v !== undefined)
  const width = Math.max(...given.map(([name]) => name.length))
  const value = (name: string, v: Argument[1]) => (typeof v === 'string' && name !== 'non_key_attributes' ? text(v) : String(v))
  return given.map(([name, v]) => `${name.padEnd(width)} = ${value(name, v)}`).join('\n')
}

/** text is a string of HCL, in which ${ and %{ begin a template. */
function text(value: string): string {
  return quote(value).replace(/[$%](?=\{)/g, '$&$&')
}

function indent(lines: string): string {
  return lines.replace(/^(?=.)/gm, '  ')
}

function resourceName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_')
}
