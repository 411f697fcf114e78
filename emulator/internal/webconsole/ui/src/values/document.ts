/** Items of Cosmos DB. */
import { member, type Node } from './losslessJson'

/** The properties of an item that the service sets. */
export const systemProperties = ['_rid', '_self', '_etag', '_attachments', '_ts']

/** own is an item without the properties that the service sets. */
export function own(document: Node): Node {
  return document.kind === 'object' ? { ...document, members: document.members.filter((m) => !systemProperties.includes(m.name)) } : document
}

/** isWhole reports whether a result is an item of the container, not a projection: it can then be edited and deleted. */
export function isWhole(document: Node): boolean {
  return ['id', '_etag', '_self'].every((name) => member(document, name) !== undefined)
}

/** ascii is JSON with escapes for what a header cannot hold: characters beyond Latin-1, which this writes from 7F on. */
export function ascii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))
}
