import { attribute, display, typeOf, type AttributeType, type Item } from '../../values/attribute'
import type { Sorting } from '../../values/sorting'
import { DataGrid, type CellText } from '../../widgets/DataGrid'

interface Props {
  items: Item[]
  columns: string[]
  /** The columns of the primary key, which open the item. */
  keys: string[]
  idOf: (item: Item) => string
  /** The items that are chosen; absent if none can be. */
  selected?: Set<string> | undefined
  onSelect?: (selected: Set<string>) => void
  onOpen: (item: Item) => void
  sorting: Sorting | undefined
  onSort: (sorting: Sorting | undefined) => void
}

/** Grid shows items with one column per attribute and each value in the colour of its type. */
export function Grid({ items, columns, keys, ...rest }: Props) {
  return (
    <DataGrid label="Items" rows={items} columns={columns} opener={columns.find((c) => keys.includes(c)) ?? columns[0]} cellOf={cellOf}
      typesOf={(name) => columnType(items, name)} {...rest} />
  )
}

function cellOf(item: Item, name: string): CellText | undefined {
  const value = attribute(item, name)
  return value && { text: display(value), title: display(value, 1000), className: `v-${typeOf(value)}` }
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
