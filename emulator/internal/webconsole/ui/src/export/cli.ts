import { asCLI } from '../copyas/cli'
import type { Endpoint } from '../copyas/copyas'
import { createTable, encryptionKey, ownTags, stream, type Schema } from './schema'

/** asCreateTable are the commands of the AWS CLI that create the table. */
export function asCreateTable(schema: Schema, at: Endpoint): string {
  const { table, ttl, recoveryDays } = schema
  const [key, tags, name] = [encryptionKey(table), ownTags(schema), { TableName: table.TableName }]
  const create = {
    ...createTable(schema), ...stream(table),
    ...(key && { SSESpecification: { Enabled: true, SSEType: 'KMS', ...(key !== 'aws' && { KMSMasterKeyId: key }) } }),
    ...(tags.length > 0 && { Tags: tags.map(({ Key, Value }) => ({ Key, Value })) }),
  }
  const commands = [asCLI({ operation: 'CreateTable', input: create }, at)]
  if (ttl || recoveryDays) commands.push(wait(table.TableName, at))
  if (ttl) {
    commands.push(asCLI({ operation: 'UpdateTimeToLive', input: { ...name, TimeToLiveSpecification: { Enabled: true, AttributeName: ttl } } }, at))
  }
  if (recoveryDays) {
    commands.push(asCLI({ operation: 'UpdateContinuousBackups', input: { ...name,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays } } }, at))
  }
  return commands.join('\n') + '\n'
}

/** wait waits until the table is active, which the other commands need. */
function wait(name: string, at: Endpoint): string {
  return asCLI({ operation: 'wait table-exists', input: { TableName: name } }, at)
}
