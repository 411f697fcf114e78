import { streamView } from '../values/table'
import { createTable, encryptionKey, identifier, ownTags, type Schema } from './schema'
import { yaml } from './yaml'

/** asCloudFormation is a template with the table. Source: the reference of AWS::DynamoDB::Table. */
export function asCloudFormation(schema: Schema): string {
  const { table, ttl, recoveryDays } = schema
  const [view, key, tags] = [streamView(table), encryptionKey(table), ownTags(schema)]
  return yaml({
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: {
      [identifier(table.TableName)]: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          ...createTable(schema),
          StreamSpecification: view ? { StreamViewType: view } : undefined,
          SSESpecification: key ? { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key === 'aws' ? undefined : key } : undefined,
          TimeToLiveSpecification: ttl ? { AttributeName: ttl, Enabled: true } : undefined,
          PointInTimeRecoverySpecification: recoveryDays > 0
            ? { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays } : undefined,
          Tags: tags.length > 0 ? tags.map(({ Key, Value }) => ({ Key, Value })) : undefined,
        },
      },
    },
  })
}
