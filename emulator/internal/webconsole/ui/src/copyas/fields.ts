/** isItemField reports whether a field of a request holds attribute values, also deep inside. */
export function isItemField(name: string): boolean {
  return ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues', 'Parameters', 'TransactItems', 'RequestItems'].includes(name)
}
