/** isItemField reports whether a field of a request holds attribute values. */
export function isItemField(name: string): boolean {
  return ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues', 'Parameters'].includes(name)
}
