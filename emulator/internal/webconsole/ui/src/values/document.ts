/** Items of Cosmos DB. */
import type { Node } from './losslessJson'

/** The properties of an item that the service sets. */
export const systemProperties = ['_rid', '_self', '_etag', '_attachments', '_ts']

/** own is an item without the properties that the service sets. */
export function own(document: Node): Node {
  return document.kind === 'object' ? { ...document, members: document.members.filter((m) => !systemProperties.includes(m.name)) } : document
}
