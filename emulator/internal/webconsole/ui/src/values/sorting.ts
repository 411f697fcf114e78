/** The order of the rows of a grid, and of the names of its columns. */
import { attribute, display, payload, typeOf, type AttributeValue, type Item } from './attribute'
import { member, plain, type Node } from './losslessJson'
import { compareNumbers } from './number'

export interface Sorting { column: string; descending: boolean }

const collator = new Intl.Collator('en-US', { numeric: true })

/** naturalOrder orders names as people do, a2 before a10; names that differ only in their case have a fixed order. */
export function naturalOrder(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** sortItems orders items by one attribute: numbers exactly, absent values last. */
export function sortItems(items: Item[], sorting: Sorting | undefined): Item[] {
  return sortRows(items, sorting, attribute, compareValues)
}

/** sortDocuments orders the results of a query by one property: numbers exactly, absent values last. */
export function sortDocuments(documents: Node[], sorting: Sorting | undefined): Node[] {
  return sortRows(documents, sorting, cellNode, compareNodes)
}

/** cellNode is the value of a result in a column; one that is no object has only one. */
export function cellNode(document: Node, column: string): Node | undefined {
  return document.kind === 'object' ? member(document, column) : document
}

function sortRows<R, V>(rows: R[], sorting: Sorting | undefined, valueOf: (row: R, column: string) => V | undefined, compare: (x: V, y: V) => number): R[] {
  if (!sorting) return rows
  const direction = sorting.descending ? -1 : 1
  return [...rows].sort((a, b) => {
    const [x, y] = [valueOf(a, sorting.column), valueOf(b, sorting.column)]
    if (!x || !y) return x ? -1 : y ? 1 : 0
    return direction * compare(x, y)
  })
}

function compareValues(x: AttributeValue, y: AttributeValue): number {
  const [tx, ty] = [typeOf(x), typeOf(y)]
  if (tx !== ty) return compareTexts(tx, ty)
  return tx === 'N' ? compareNumbers(payload(x) as string, payload(y) as string) : compareTexts(display(x), display(y))
}

function compareNodes(x: Node, y: Node): number {
  if (x.kind !== y.kind) return compareTexts(x.kind, y.kind)
  return x.kind === 'number' ? compareNumbers(x.text, plain(y)) : compareTexts(plain(x), plain(y))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
