import { lazy, Suspense, useState } from 'react'
import { describeTable } from '../../api/dynamodb'
import { withManagedKey } from '../../api/kms'
import { concernsTable, useResource } from '../../api/useResource'
import { Link, navigate, to } from '../../app/router'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { DeleteAll, emptyTable } from '../editor/DeleteAll'
import { DeleteTable } from '../tables/DeleteTable'
import { Items } from '../items/Items'
import { Schema } from './Schema'

const TableDesign = lazy(() => import('../design/TableDesign'))
const TableHistory = lazy(() => import('../history/TableHistory'))
const DraftDialog = lazy(() => import('../models/DraftDialog'))
const ImportDialog = lazy(() => import('../import/ImportDialog'))
const TableStream = lazy(() => import('../feed/TableStream'))
const TableMetrics = lazy(() => import('../metrics/TableMetrics'))

const tabs = { items: 'Items', design: 'Design', history: 'History', schema: 'Schema', stream: 'Stream', metrics: 'Metrics' }

/** TablePage is one table: its items, their history, its design, its schema, its stream or its metrics. */
export default function TablePage({ name, tab }: { name: string; tab: string }) {
  const table = useResource(`table ${name}`, () => describeTable(name).then(withManagedKey), concernsTable(name, 'schema'))
  const [deleting, setDeleting] = useState(false)
  const [emptying, setEmptying] = useState(false)
  const [importing, setImporting] = useState(false)
  const [drafting, setDrafting] = useState(false)
  const href = (t: string) => to('dynamodb', 'tables', name, ...(t === 'items' ? [] : [t]))
  return (
    <>
      <div className="page-head">
        <div>
          <div className="crumbs"><Link href="/dynamodb/tables">Tables</Link> /</div>
          <h1>{name}</h1>
        </div>
        <Menu label="Actions" icon="down" actions={[
          { id: 'import', label: 'Import a file…', run: () => setImporting(true) },
          { id: 'draft', label: 'Draft a data model…', run: () => setDrafting(true) },
          { id: 'empty', label: 'Delete all items…', run: () => setEmptying(true) },
          { id: 'delete', label: 'Delete table…', run: () => setDeleting(true) },
        ]} />
      </div>
      <nav className="tabs" aria-label="Table">
        {Object.entries(tabs).map(([t, label]) => (
          <Link key={t} href={href(t)} {...(t === tab && { 'aria-current': 'page' as const })}>{label}</Link>
        ))}
      </nav>
      <ErrorMessage error={table.error} />
      {table.loading && <Loading what="the table" />}
      {table.data && tab === 'items' && <Items table={table.data} />}
      {table.data && tab === 'design' && <Suspense fallback={<Loading what="the design" />}><TableDesign table={table.data} /></Suspense>}
      {table.data && tab === 'history' && <Suspense fallback={<Loading what="the history" />}><TableHistory table={table.data} /></Suspense>}
      {table.data && tab === 'schema' && <Schema table={table.data} reload={table.reload} />}
      {table.data && tab === 'stream' && <Suspense fallback={null}><TableStream table={table.data} /></Suspense>}
      {table.data && tab === 'metrics' && <Suspense fallback={null}><TableMetrics table={table.data} /></Suspense>}
      {importing && <Suspense fallback={null}><ImportDialog target={{ table: name }} onClose={() => setImporting(false)} /></Suspense>}
      {drafting && table.data && <Suspense fallback={null}><DraftDialog table={table.data} onClose={() => setDrafting(false)} /></Suspense>}
      {emptying && table.data && <DeleteAll name={name} remove={(progress) => emptyTable(table.data!, progress)} onClose={() => setEmptying(false)} />}
      {deleting && <DeleteTable name={name} onClose={() => setDeleting(false)} onDeleted={() => navigate('/dynamodb/tables')} />}
    </>
  )
}
