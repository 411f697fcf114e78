import { isInfrequentAccess, isOnDemand, streamView, type Index } from '../values/table'
import { encryptionKey, identifier, keyOf, limits, ownTags, sortedIndexes, typeOf, type Schema } from './schema'
import { quote } from './yaml'

type Property = readonly [name: string, value: string | number | true | undefined]

/** asCDK is a stack of the AWS CDK, version 2, in TypeScript, with the construct Table, which can have every setting. */
export function asCDK(schema: Schema): string {
  const { table } = schema
  const { globals, locals } = sortedIndexes(table)
  const statements = [
    `const table = new dynamodb.Table(this, ${text(identifier(table.TableName))}, ${object(properties(schema))})`,
    ...globals.map((i) => `table.addGlobalSecondaryIndex(${object([name(i), ...key(schema, i), ...projection(i), ...capacity(schema, i)])})`),
    ...locals.map((i) => `table.addLocalSecondaryIndex(${object([name(i), ...key(schema, i).slice(1), ...projection(i)])})`),
    ...ownTags(schema).map((t) => `cdk.Tags.of(table).add(${text(t.Key)}, ${text(t.Value)})`),
  ]
  const kms = statements[0]!.includes('kms.') ? "import * as kms from 'aws-cdk-lib/aws-kms'\n" : ''
  return `import * as cdk from 'aws-cdk-lib'
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb'
${kms}import { Construct } from 'constructs'

export class ${identifier(table.TableName)}Stack extends cdk.Stack {
  constructor(scope: Construct, id: string, props?: cdk.StackProps) {
    super(scope, id, props)
${statements.map((s) => `    ${s}\n`).join('')}  }
}
`
}

function properties(schema: Schema): Property[] {
  const { table, ttl, recoveryDays } = schema
  const [view, encryption] = [streamView(table), encryptionKey(table)]
  return [
    ['tableName', text(table.TableName)],
    ...key(schema, table),
    ['billingMode', `dynamodb.BillingMode.${isOnDemand(table) ? 'PAY_PER_REQUEST' : 'PROVISIONED'}`],
    ...capacity(schema, table),
    ['tableClass', isInfrequentAccess(table) ? 'dynamodb.TableClass.STANDARD_INFREQUENT_ACCESS' : undefined],
    ['timeToLiveAttribute', ttl ? text(ttl) : undefined],
    ['stream', view ? `dynamodb.StreamViewType.${view}` : undefined],
    ['pointInTimeRecoverySpecification', recoveryDays
      ? `{ pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: ${recoveryDays} }` : undefined],
    ['encryption', encryption ? `dynamodb.TableEncryption.${encryption === 'aws' ? 'AWS_MANAGED' : 'CUSTOMER_MANAGED'}` : undefined],
    ['encryptionKey', encryption && encryption !== 'aws' ? `kms.Key.fromKeyArn(this, 'Key', ${text(encryption)})` : undefined],
    ['deletionProtection', table.DeletionProtectionEnabled || undefined],
  ]
}

/** key has partitionKeys or sortKeys only if an index has several attributes of a kind. */
function key({ table }: Schema, of: Pick<Index, 'KeySchema'>): Property[] {
  const { partition, sort } = keyOf(of.KeySchema)
  const types = { S: 'STRING', N: 'NUMBER', B: 'BINARY' } as Record<string, string>
  const attribute = (name: string) => `{ name: ${text(name)}, type: dynamodb.AttributeType.${types[typeOf(table, name)]} }`
  const property = (one: string, several: string, names: string[]): Property[] => {
    if (names.length < 2) return [[one, names[0] === undefined ? undefined : attribute(names[0])]]
    return [[several, `[${names.map(attribute).join(', ')}]`]]
  }
  return [...property('partitionKey', 'partitionKeys', partition), ...property('sortKey', 'sortKeys', sort)]
}

function capacity({ table }: Schema, of: Index | Schema['table']): Property[] {
  const l = limits(table, of)
  const [reads, writes] = isOnDemand(table) ? ['maxReadRequestUnits', 'maxWriteRequestUnits'] : ['readCapacity', 'writeCapacity']
  return [[reads!, l?.reads || undefined], [writes!, l?.writes || undefined]]
}

function name(i: Index): Property {
  return ['indexName', text(i.IndexName)]
}

function projection(i: Index): Property[] {
  const { ProjectionType = 'ALL', NonKeyAttributes } = i.Projection
  return [['projectionType', `dynamodb.ProjectionType.${ProjectionType}`],
    ['nonKeyAttributes', NonKeyAttributes && `[${NonKeyAttributes.map(text).join(', ')}]`]]
}

/** object is a literal inside a method of a class. */
function object(list: Property[]): string {
  return `{\n${list.filter(([, v]) => v !== undefined).map(([n, v]) => `      ${n}: ${v},\n`).join('')}    }`
}

/** text is a literal in single quotes, as the CDK's documentation writes them. */
function text(value: string): string {
  return `'${quote(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
