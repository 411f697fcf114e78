import type { Sorting } from '../values/sorting'

/** CellText is a value as a cell shows it, as its tooltip does, and the class of its colour. */
export interface CellText { text: string; title: string; className: string }

interface Props<Row> {
  label: string
  rows: Row[]
  columns: string[]
  /** The column whose cells open the row. */
  opener: string | undefined
  /** What tells the rows apart; undefined: the row cannot be chosen. */
  idOf: (row: Row) => string | undefined
  cellOf: (row: Row, column: string) => CellText | undefined
  typesOf: (column: string) => string
  /** The rows that are chosen; absent if none can be. */
  selected?: Set<string> | undefined
  onSelect?: (selected: Set<string>) => void
  onOpen: (row: Row) => void
  sorting: Sorting | undefined
  onSort: (sorting: Sorting | undefined) => void
}

/** DataGrid shows rows with one column per attribute or property, sorted by a click on a column. */
export function DataGrid<Row>({ label, rows, columns, opener, idOf, cellOf, typesOf, selected, onSelect, onOpen, sorting, onSort }: Props<Row>) {
  const ids = rows.map(idOf).filter((id) => id !== undefined)
  const all = ids.length > 0 && ids.every((id) => selected?.has(id))
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  const sortBy = (column: string) => onSort(
    sorting?.column !== column ? { column, descending: false } : sorting.descending ? undefined : { column, descending: true })
  const selectors = selected !== undefined && ids.length > 0
  return (
    <div className="table-wrap" style={{ maxHeight: '68vh' }} tabIndex={0} role="region" aria-label={label}>
      <table className="table grid">
        <thead>
          <tr>
            {selectors && (
              <th className="select" scope="col">
                <input type="checkbox" aria-label="Select all items" checked={all} onChange={() => onSelect?.(all ? new Set() : new Set(ids))} />
              </th>
            )}
            {columns.map((name) => (
              <th key={name} scope="col" aria-sort={sorting?.column === name ? (sorting.descending ? 'descending' : 'ascending') : 'none'}>
                <button type="button" className="sort-button" onClick={() => sortBy(name)}>
                  <bdi className="clip" style={{ maxWidth: 260 }}>{name}</bdi>
                  {sorting?.column === name && <span aria-hidden="true">&nbsp;{sorting.descending ? '↓' : '↑'}</span>}
                  <span className="type">{typesOf(name)}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => {
            const id = idOf(row)
            const chosen = id !== undefined && selected?.has(id)
            return (
              <tr key={`${i} ${id}`} className={chosen ? 'chosen' : ''}>
                {selectors && (
                  <td className="select">
                    {id !== undefined && (
                      <input type="checkbox" aria-label={`Select ${(opener !== undefined && cellOf(row, opener)?.text) || 'the item'}`} checked={chosen ?? false}
                        onChange={() => toggle(id)} />
                    )}
                  </td>
                )}
                {columns.map((name) => (
                  <Cell key={name} value={cellOf(row, name)} onOpen={name === opener ? () => onOpen(row) : undefined} />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Cell({ value, onOpen }: { value: CellText | undefined; onOpen: (() => void) | undefined }) {
  if (!value) return <td>{onOpen && <button type="button" className="key-button" onClick={onOpen}>Open</button>}</td>
  return (
    <td className={value.className} title={value.title}>
      {onOpen ? <button type="button" className="key-button" onClick={onOpen}><bdi>{value.text || '(empty)'}</bdi></button> : <bdi>{value.text}</bdi>}
    </td>
  )
}
