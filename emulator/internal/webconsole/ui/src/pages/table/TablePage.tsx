import { lazy, Suspense, useState } from 'react'
import { describeTable } from '../../api/dynamodb'
import { withManagedKey } from '../../api/kms'
import { concernsTable, useResource } from '../../api/useResource'
import { Problem } from '../../api/http'
import { Missing, NotFound } from '../../app/NotFound'
import { PageTabs } from '../../app/PageTabs'
import { Link, navigate, to } from '../../app/router'
import { useEmulator } from '../../app/session'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { DeleteAll, emptyTable } from '../editor/DeleteAll'
import { DeleteTable } from '../tables/DeleteTable'
import { Items } from '../items/Items'
import { Schema } from './Schema'

const TableDesign = lazy(() => import('../design/TableDesign'))
const TableHistory = lazy(() => import('../history/TableHistory'))
const CloneDialog = lazy(() => import('../clone/CloneDialog'))
const DraftDialog = lazy(() => import('../models/DraftDialog'))
const ImportDialog = lazy(() => import('../import/ImportDialog'))
const TableStream = lazy(() => import('../feed/TableStream'))
const TableMetrics = lazy(() => import('../metrics/TableMetrics'))

const tabs: Record<string, string> = { items: 'Items', design: 'Design', history: 'History', schema: 'Schema', stream: 'Stream', metrics: 'Metrics' }

/** TablePage is one table: its items, their history, its design, its schema, its stream or its metrics. */
export default function TablePage({ name, tab }: { name: string; tab: string }) {
  const table = useResource(`table ${name}`, () => describeTable(name).then(withManagedKey), concernsTable(name, 'schema'))
  const [deleting, setDeleting] = useState(false)
  const [emptying, setEmptying] = useState(false)
  const [importing, setImporting] = useState(false)
  const [drafting, setDrafting] = useState(false)
  const [cloning, setCloning] = useState(false)
  const href = (t: string) => to('dynamodb', 'tables', name, ...(t === 'items' ? [] : [t]))
  if (!(tab in tabs)) return <NotFound />
  if (table.error instanceof Problem && table.error.code === 'ResourceNotFoundException') return <MissingTable name={name} />
  return (
    <>
      <div className="page-head">
        <div>
          <div className="crumbs"><Link href="/dynamodb/tables">Tables</Link> /</div>
          <h1>{name}</h1>
        </div>
        <Menu label="Actions" icon="down" actions={[
          { id: 'import', label: 'Import a file…', run: () => setImporting(true) },
          { id: 'clone', label: 'Clone table…', run: () => setCloning(true) },
          { id: 'draft', label: 'Draft a data model…', run: () => setDrafting(true) },
          { id: 'empty', label: 'Delete all items…', run: () => setEmptying(true) },
          { id: 'delete', label: 'Delete table…', run: () => setDeleting(true) },
        ]} />
      </div>
      <PageTabs label="Table" tabs={tabs} current={tab} href={href} />
      <ErrorMessage error={table.error} />
      {table.loading && <Loading what="the table" />}
      {table.data && tab === 'items' && <Items table={table.data} />}
      {table.data && tab === 'design' && <Suspense fallback={<Loading what="the design" />}><TableDesign table={table.data} /></Suspense>}
      {table.data && tab === 'history' && <Suspense fallback={<Loading what="the history" />}><TableHistory table={table.data} /></Suspense>}
      {table.data && tab === 'schema' && <Schema table={table.data} reload={table.reload} />}
      {table.data && tab === 'stream' && <Suspense fallback={null}><TableStream table={table.data} /></Suspense>}
      {table.data && tab === 'metrics' && <Suspense fallback={null}><TableMetrics table={table.data} /></Suspense>}
      {importing && <Suspense fallback={null}><ImportDialog target={{ table: name }} onClose={() => setImporting(false)} /></Suspense>}
      {cloning && table.data && <Suspense fallback={null}><CloneDialog of={{ table: name }} items={table.data.ItemCount} onClose={() => setCloning(false)} /></Suspense>}
      {drafting && table.data && <Suspense fallback={null}><DraftDialog table={table.data} onClose={() => setDrafting(false)} /></Suspense>}
      {emptying && table.data && <DeleteAll name={name} remove={(progress) => emptyTable(table.data!, progress)} onClose={() => setEmptying(false)} />}
      {deleting && <DeleteTable name={name} onClose={() => setDeleting(false)} onDeleted={() => navigate('/dynamodb/tables')} />}
    </>
  )
}

function MissingTable({ name }: { name: string }) {
  const { overview: { dynamodb }, region } = useEmulator()
  return (
    <Missing title={<>Table <bdi>{name}</bdi> does not exist</>} href="/dynamodb/tables" link="Show all tables">
      Region {region} has no table with this name{dynamodb.isolated && ` for the access key ${dynamodb.accessKeyId}`}. It was deleted, or the link is wrong.
    </Missing>
  )
}
