import { Link, to } from '../../app/router'
import { bytes } from '../../values/size'
import { indexes, keyParts, type Table } from '../../values/table'
import { Menu } from '../../widgets/Menu'

interface Props {
  tables: Table[]
  onDelete?: (name: string) => void
  onClone?: (table: Table) => void
  /** The names of the tables that are chosen; absent if none can be. */
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
}

/** TablesTable lists tables with their keys, indexes, counts and sizes. */
export function TablesTable({ tables, onDelete, onClone, selected, onSelect }: Props) {
  const all = tables.every((t) => selected?.has(t.TableName))
  const select = (names: string[], isChosen: boolean) => {
    const others = [...selected ?? []].filter((name) => !names.includes(name))
    onSelect?.(new Set(isChosen ? [...others, ...names] : others))
  }
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label="Tables">
      <table className="table cards">
        <thead>
          <tr>
            {selected && (
              <th scope="col" className="select">
                <input type="checkbox" aria-label="Select all tables" checked={all} onChange={() => select(tables.map((t) => t.TableName), !all)} />
              </th>
            )}
            <th scope="col">Table</th><th scope="col">Key</th><th scope="col">Indexes</th>
            <th scope="col" className="number">Items</th><th scope="col" className="number">Size</th>
            {onDelete && <th scope="col"><span className="visually-hidden">Actions</span></th>}
          </tr>
        </thead>
        <tbody>
          {tables.map((t) => (
            <tr key={t.TableName}>
              {selected && (
                <td className="select">
                  <input type="checkbox" aria-label={`Select ${t.TableName}`} checked={selected.has(t.TableName)}
                    onChange={(e) => select([t.TableName], e.target.checked)} />
                </td>
              )}
              <td className="break name">
                <Link href={to('dynamodb', 'tables', t.TableName)}>{t.TableName}</Link>
                {t.TableStatus !== 'ACTIVE' && <> <span className="badge warn">{t.TableStatus}</span></>}
              </td>
              <td className="mono break" data-label="Key">{keyParts(t).map((k) => `${k.name} (${k.type})`).join(', ')}</td>
              <td className="break" data-label="Indexes">{indexes(t).map((i) => i.IndexName).join(', ') || <span className="muted">None</span>}</td>
              <td className="number" data-label="Items">{t.ItemCount.toLocaleString('en-US')}</td>
              <td className="number" data-label="Size">{bytes(t.TableSizeBytes)}</td>
              {onDelete && (
                <td className="actions">
                  <Menu small label="Actions" actions={[
                    ...(onClone ? [{ id: 'clone', label: 'Clone table…', run: () => onClone(t) }] : []),
                    { id: 'delete', label: 'Delete table…', run: () => onDelete(t.TableName) },
                  ]} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
