import { attribute, display, payload, typeOf, type AttributeType, type AttributeValue, type Item } from '../../values/attribute'
import { compareNumbers } from '../../values/number'

export interface Sorting { column: string; descending: boolean }

interface Props {
  items: Item[]
  columns: string[]
  /** The columns of the primary key, which open the item. */
  keys: string[]
  idOf: (item: Item) => string
  /** The items that are chosen; absent if none can be. */
  selected?: Set<string>
  onSelect?: (selected: Set<string>) => void
  onOpen: (item: Item) => void
  sorting: Sorting | undefined
  onSort: (sorting: Sorting | undefined) => void
}

/** Grid shows items with one column per attribute and each value in the colour of its type. */
export function Grid({ items, columns, keys, idOf, selected, onSelect, onOpen, sorting, onSort }: Props) {
  const all = items.length > 0 && items.every((i) => selected?.has(idOf(i)))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const sortBy = (column: string) => onSort(
    sorting?.column !== column ? { column, descending: false } : sorting.descending ? undefined : { column, descending: true })
  return (
    <div className="table-wrap" style={{ maxHeight: '68vh' }} tabIndex={0} role="region" aria-label="Items">
      <table className="table grid">
        <thead>
          <tr>
            {selected && (
              <th className="select" scope="col">
                <input type="checkbox" aria-label="Select all items" checked={all}
                  onChange={() => onSelect?.(all ? new Set() : new Set(items.map(idOf)))} />
              </th>
            )}
            {columns.map((name) => (
              <th key={name} scope="col" aria-sort={sorting?.column === name ? (sorting.descending ? 'descending' : 'ascending') : 'none'}>
                <button type="button" className="sort-button" onClick={() => sortBy(name)}>
                  <bdi className="clip" style={{ maxWidth: 260 }}>{name}</bdi>
                  {sorting?.column === name && <span aria-hidden="true">&nbsp;{sorting.descending ? '↓' : '↑'}</span>}
                  <span className="type">{columnType(items, name)}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, row) => {
            const id = idOf(item)
            const first = columns.find((c) => keys.includes(c)) ?? columns[0]
            return (
              <tr key={`${row} ${id}`} className={selected?.has(id) ? 'chosen' : ''}>
                {selected && (
                  <td className="select">
                    <input type="checkbox" aria-label={`Select ${display(attribute(item, first ?? '') ?? { S: '' }, 60)}`} checked={selected.has(id)} onChange={() => toggle(id)} />
                  </td>
                )}
                {columns.map((name) => (
                  <Cell key={name} value={attribute(item, name)} onOpen={name === first ? () => onOpen(item) : undefined} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ value, onOpen }: { value: AttributeValue | undefined; onOpen: (() => void) | undefined }) {
  if (!value) return <td>{onOpen && <button type="button" className="key-button" onClick={onOpen}>Open</button>}</td>
  const text = display(value)
  return (
    <td className={`v-${typeOf(value)}`} title={display(value, 1000)}>
      {onOpen ? <button type="button" className="key-button" onClick={onOpen}><bdi>{text || '(empty)'}</bdi></button> : <bdi>{text}</bdi>}
    </td>
  )
}

/** columnType is the type that all values of a column have, or the types that they have. */
function columnType(items: Item[], name: string): string {
  const types = new Set<AttributeType>()
  for (const item of items) {
    const value = attribute(item, name)
    if (value) types.add(typeOf(value))
  }
  return [...types].join('|')
}

/** sortItems orders the items that were read by one column: numbers exactly, absent values last. */
export function sortItems(items: Item[], sorting: Sorting | undefined): Item[] {
  if (!sorting) return items
  const direction = sorting.descending ? -1 : 1
  return [...items].sort((a, b) => {
    const [x, y] = [attribute(a, sorting.column), attribute(b, sorting.column)]
    if (!x || !y) return x ? -1 : y ? 1 : 0
    return direction * compare(x, y)
  })
}

function compare(x: AttributeValue, y: AttributeValue): number {
  const [tx, ty] = [typeOf(x), typeOf(y)]
  if (tx !== ty) return tx < ty ? -1 : 1
  if (tx === 'N') return compareNumbers(payload(x) as string, payload(y) as string)
  const [a, b] = [display(x), display(y)]
  return a < b ? -1 : a > b ? 1 : 0
}
