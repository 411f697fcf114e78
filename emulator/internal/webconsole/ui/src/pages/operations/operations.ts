/** The operations of DynamoDB and DynamoDB Streams, and what a request for each begins with. */

type Input = Record<string, unknown>

/** Names in templates: they are replaced with those of a table. */
export interface Names { table: string; arn: string; key: Input }

interface Group { title: string; operations: Record<string, (names: Names) => Input> }

const table = ({ table }: Names) => ({ TableName: table })
const nothing = () => ({})
const arn = ({ arn }: Names) => ({ ResourceArn: arn })
const values = { ':v': { S: 'value' } }
const update = { UpdateExpression: 'SET #a = :v', ExpressionAttributeNames: { '#a': 'attribute' }, ExpressionAttributeValues: values }
const key = ({ table, key }: Names) => ({ TableName: table, Key: key })
const item = ({ table, key }: Names) => ({ TableName: table, Item: key })
const bucket = { S3Bucket: 'bucket', S3KeyPrefix: 'prefix/' }

/** keyCondition is that of the first key attribute. */
function keyCondition({ table, key }: Names): Input {
  const [name = 'pk', value = { S: 'value' }] = Object.entries(key)[0] ?? []
  return { TableName: table, KeyConditionExpression: '#k = :k', ExpressionAttributeNames: { '#k': name }, ExpressionAttributeValues: { ':k': value } }
}

function statement(names: Names): Input {
  return { Statement: `SELECT * FROM "${names.table}"` }
}

function newTable(): Input {
  return {
    TableName: 'orders', BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }], KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  }
}

export const groups: Group[] = [
  { title: 'Items', operations: {
    GetItem: key, PutItem: item, UpdateItem: (n) => ({ ...key(n), ...update, ReturnValues: 'ALL_NEW' }), DeleteItem: key,
    Query: keyCondition, Scan: table,
    BatchGetItem: (n) => ({ RequestItems: { [n.table]: { Keys: [n.key] } } }),
    BatchWriteItem: (n) => ({ RequestItems: { [n.table]: [{ PutRequest: { Item: n.key } }] } }),
    TransactGetItems: (n) => ({ TransactItems: [{ Get: key(n) }] }),
    TransactWriteItems: (n) => ({ TransactItems: [{ Put: item(n) }, { Update: { ...key(n), ...update } }] }),
    ExecuteStatement: statement, BatchExecuteStatement: (n) => ({ Statements: [statement(n)] }),
    ExecuteTransaction: (n) => ({ TransactStatements: [statement(n)] }),
    SearchVectors: (n) => ({ ...table(n), IndexName: 'index' }),
  } },
  { title: 'Tables', operations: {
    ListTables: nothing, DescribeTable: table, CreateTable: newTable, UpdateTable: (n) => ({ ...table(n), DeletionProtectionEnabled: true }),
    DeleteTable: table, DescribeTimeToLive: table,
    UpdateTimeToLive: (n) => ({ ...table(n), TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true } }),
    ListTagsOfResource: arn, TagResource: (n) => ({ ...arn(n), Tags: [{ Key: 'team', Value: 'orders' }] }),
    UntagResource: (n) => ({ ...arn(n), TagKeys: ['team'] }), DescribeLimits: nothing, DescribeEndpoints: nothing,
    GetResourcePolicy: arn, PutResourcePolicy: (n) => ({ ...arn(n), Policy: '{"Version":"2012-10-17","Statement":[]}' }), DeleteResourcePolicy: arn,
    DescribeContributorInsights: table, ListContributorInsights: nothing,
    UpdateContributorInsights: (n) => ({ ...table(n), ContributorInsightsAction: 'ENABLE' }),
  } },
  { title: 'Backups', operations: {
    DescribeContinuousBackups: table,
    UpdateContinuousBackups: (n) => ({ ...table(n), PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
    RestoreTableToPointInTime: (n) => ({ SourceTableName: n.table, TargetTableName: `${n.table}-restored`, UseLatestRestorableTime: true }),
    CreateBackup: (n) => ({ ...table(n), BackupName: `${n.table}-backup` }), ListBackups: table, DescribeBackup: () => ({ BackupArn: 'arn' }),
    DeleteBackup: () => ({ BackupArn: 'arn' }), RestoreTableFromBackup: (n) => ({ TargetTableName: `${n.table}-restored`, BackupArn: 'arn' }),
  } },
  { title: 'Imports and exports', operations: {
    ExportTableToPointInTime: (n) => ({ TableArn: n.arn, S3Bucket: 'bucket' }), DescribeExport: () => ({ ExportArn: 'arn' }), ListExports: nothing,
    ImportTable: () => ({ S3BucketSource: bucket, InputFormat: 'DYNAMODB_JSON', TableCreationParameters: newTable() }),
    DescribeImport: () => ({ ImportArn: 'arn' }), ListImports: nothing,
    StartBulkPutItems: (n) => ({ ...table(n), InputS3Configuration: { ...bucket, InputFormat: 'DYNAMODB_JSON' } }),
    DescribeBulkOperation: () => ({ BulkOperationArn: 'arn' }), ListBulkOperations: nothing, CancelBulkOperation: () => ({ BulkOperationArn: 'arn' }),
  } },
  { title: 'Streams', operations: {
    ListStreams: table, DescribeStream: () => ({ StreamArn: 'arn' }),
    GetShardIterator: () => ({ StreamArn: 'arn', ShardId: 'shardId-0', ShardIteratorType: 'TRIM_HORIZON' }), GetRecords: () => ({ ShardIterator: 'iterator' }),
    DescribeKinesisStreamingDestination: table, EnableKinesisStreamingDestination: (n) => ({ ...table(n), StreamArn: 'arn' }),
    DisableKinesisStreamingDestination: (n) => ({ ...table(n), StreamArn: 'arn' }),
    UpdateKinesisStreamingDestination: (n) => ({ ...table(n), StreamArn: 'arn' }),
  } },
  { title: 'Global tables', operations: {
    DescribeTableReplicaAutoScaling: table, UpdateTableReplicaAutoScaling: table, ListGlobalTables: nothing,
    CreateGlobalTable: () => ({ GlobalTableName: 'orders', ReplicationGroup: [{ RegionName: 'us-east-1' }] }),
    DescribeGlobalTable: () => ({ GlobalTableName: 'orders' }), UpdateGlobalTable: () => ({ GlobalTableName: 'orders', ReplicaUpdates: [] }),
    DescribeGlobalTableSettings: () => ({ GlobalTableName: 'orders' }), UpdateGlobalTableSettings: () => ({ GlobalTableName: 'orders' }),
  } },
]

/** templateOf is what a request for an operation begins with. */
export function templateOf(operation: string, names: Names): string {
  const make = groups.map((g) => g.operations[operation]).find(Boolean) ?? nothing
  return JSON.stringify(make(names), null, 2)
}
