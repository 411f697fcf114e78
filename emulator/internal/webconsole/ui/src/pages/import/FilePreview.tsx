import type { Preview } from '../../api/imports'
import { attribute, display } from '../../values/attribute'
import { InvalidLines } from './InvalidLines'

const names: Record<string, string> = {
  json: 'JSON', 'dynamodb-json': 'DynamoDB JSON', csv: 'CSV', workbench: 'A model of NoSQL Workbench',
  'describe-table': 'The description of a table',
}

/** The most columns of the preview. */
const maxColumns = 20

/** FilePreview shows the tables that a file describes, and its first items with the types of their attributes. */
export function FilePreview({ found }: { found: Preview }) {
  return (
    <>
      <p role="status">{names[found.format] ?? found.format}{found.items.length > 0 && `: the first ${count(found.items.length, 'item')}`}</p>
      {found.tables.length > 0 && (
        <ul aria-label="Tables of the file">
          {found.tables.map((t) => (
            <li key={t.name}>
              <strong className="break"><bdi>{t.name}</bdi></strong>{' '}
              <span className="badge">{t.exists ? 'exists' : 'is created'}</span>{' '}
              <span className="muted break">
                {t.key.map((k) => `${k.AttributeName} (${k.AttributeType})`).join(', ')}
                {t.indexes.length > 0 && `; indexes ${t.indexes.join(', ')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.items.length > 0 && <Items found={found} />}
      {found.problem && <div className="message error" role="alert">The file cannot be read: {found.problem}</div>}
      <InvalidLines title="Invalid lines among the first" lines={found.invalid} />
    </>
  )
}

function Items({ found }: { found: Preview }) {
  const shown = found.types.slice(0, maxColumns)
  return (
    <div className="table-wrap panel" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="First items">
      <table className="table">
        <thead>
          <tr>{shown.map((a) => <th key={a.name} scope="col"><bdi>{a.name}</bdi> <span className="badge">{a.types.join(', ')}</span></th>)}</tr>
        </thead>
        <tbody>
          {found.items.map((item, i) => (
            <tr key={i}>{shown.map((a) => {
              const value = attribute(item, a.name)
              return <td key={a.name} className="mono">{value && display(value, 60)}</td>
            })}</tr>
          ))}
        </tbody>
      </table>
      {found.types.length > maxColumns && <p className="muted">{found.types.length - maxColumns} more attributes</p>}
    </div>
  )
}

export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
}
