/** AWS KMS, on DynamoDB's port. */
import type { Table } from '../values/table'
import { sendAWS } from './dynamodb'

/** The alias of the key that AWS manages for DynamoDB in an account. */
const managed = 'alias/aws/dynamodb'

/** withManagedKey names the key that AWS manages by its alias, because its ARN is like that of any other key. */
export async function withManagedKey(table: Table): Promise<Table> {
  const sse = table.SSEDescription
  if (!sse?.KMSMasterKeyArn) return table
  const manager = await keyManager(sse.KMSMasterKeyArn).catch(() => undefined) // a user may not be allowed to ask
  return manager === 'AWS' ? { ...table, SSEDescription: { ...sse, KMSMasterKeyArn: managed } } : table
}

async function keyManager(key: string): Promise<'AWS' | 'CUSTOMER'> {
  const answer = await sendAWS('kms', 'DescribeKey', { KeyId: key })
  return (JSON.parse(answer.text) as { KeyMetadata: { KeyManager: 'AWS' | 'CUSTOMER' } }).KeyMetadata.KeyManager
}
