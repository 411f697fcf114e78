/** The patterns of the keys of some items: USER#<…>, ORDER#<orderId>. */
import { cellOf, groupBy, type Row } from './rows'
import { kindOf, partsOf, shapeOf, type Part } from './tokens'

/**
 * Key is an attribute of the key of a table, an index or a container, with what it is called there: PK pk. The id of Cosmos
 * DB is like a sort key: it tells the items of a partition apart.
 */
export interface Key { name: string; isSortKey: boolean; label: string }

/** patternsOf are the different patterns of one key of items of a kind, those of most items first. */
export function patternsOf(rows: Row[], key: Key, keys: Key[]): string[] {
  const groups = groupBy(rows, (row) => {
    const cell = cellOf(row, key.name)
    if (!cell) return ''
    return cell.type === 'String' ? `S${shapeOf(cell.text, key.isSortKey)}` : cell.type
  })
  return [...groups].sort(([, a], [, b]) => b.length - a.length).map(([, same]) => pattern(same, key, keys))
}

function pattern(rows: Row[], key: Key, keys: Key[]): string {
  const first = cellOf(rows[0]!, key.name)
  if (!first) return 'absent'
  if (first.type !== 'String') return `<${first.type.toLowerCase()}>`
  const all = rows.map((r) => partsOf(cellOf(r, key.name)!.text, key.isSortKey))
  return all[0]!.map((_, i) => piece(all.map((parts) => parts[i]!), rows, key, keys)).join('')
}

function piece(parts: Part[], rows: Row[], key: Key, keys: Key[]): string {
  const [{ text, isFixed }] = parts as [Part]
  if (isFixed || isSameEverywhere(parts, rows, key, keys)) return text
  const texts = parts.map((p) => p.text)
  return `<${sourceOf(texts, rows, keys) ?? kindOf(texts)}>`
}

/** isSameEverywhere is true of a sort key that is the same under different partition keys, as the word profile often is. */
function isSameEverywhere(parts: Part[], rows: Row[], key: Key, keys: Key[]): boolean {
  const partitions = new Set(rows.map((r) => JSON.stringify(keys.filter((k) => !k.isSortKey).map((k) => cellOf(r, k.name)?.text))))
  return key.isSortKey && partitions.size > 1 && parts.every((p) => p.text === parts[0]!.text)
}

/** sourceOf is the attribute that has the piece of the key in each item, such as orderId for ORDER#1001. */
function sourceOf(texts: string[], rows: Row[], keys: Key[]): string | undefined {
  if (new Set(texts).size === 1 && texts[0]!.length < 3) return undefined // the same by chance
  return Object.keys(rows[0]!).find((name) => !keys.some((k) => k.name === name) && rows.every((r, i) => cellOf(r, name)?.text === texts[i]))
}
