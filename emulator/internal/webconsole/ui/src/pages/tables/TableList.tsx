import { lazy, Suspense, useState } from 'react'
import { describeTables } from '../../api/dynamodb'
import { concernsCloud, useResource } from '../../api/useResource'
import type { Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { CreateTable } from './CreateTable'
import { DeleteTable } from './DeleteTable'
import { DeleteTables } from './DeleteTables'
import { TablesTable } from './TablesTable'

const CloneDialog = lazy(() => import('../clone/CloneDialog'))
const ImportDialog = lazy(() => import('../import/ImportDialog'))

/** TableList is the page of all tables of DynamoDB. */
export function TableList() {
  const { data, error } = useResource('described', describeTables, concernsCloud('dynamodb'))
  const [creating, setCreating] = useState(false)
  const [importing, setImporting] = useState(false)
  const [deleting, setDeleting] = useState('')
  const [cloning, setCloning] = useState<Table>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [deletingSeveral, setDeletingSeveral] = useState<Table[]>([])
  const [find, setFind] = useState('')
  const shown = data?.filter((t) => t.TableName.toLowerCase().includes(find.toLowerCase()))
  const chosen = data?.filter((t) => selected.has(t.TableName)) ?? []
  return (
    <>
      <div className="page-head">
        <h1>Tables</h1>
        <div className="row">
          <TextField label="Find a table" hideLabel placeholder="Find a table" type="search" value={find} onChange={setFind} />
          {chosen.length > 0 && <Button kind="danger" icon="trash" onPress={() => setDeletingSeveral(chosen)}>Delete {chosen.length}</Button>}
          <Button onPress={() => setImporting(true)}>Import</Button>
          <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>Create table</Button>
        </div>
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="tables" />}
      {shown && (
        <section className="panel" aria-label="All tables">
          {shown.length > 0 ? <TablesTable tables={shown} onDelete={setDeleting} onClone={setCloning} selected={selected} onSelect={setSelected} /> : (
            <div className="empty">{data!.length > 0 ? `No table has “${find}” in its name` : (
              <><h2>No tables yet</h2><p>Create one here, or with any client of DynamoDB.</p></>
            )}</div>
          )}
        </section>
      )}
      {importing && <Suspense fallback={null}><ImportDialog tables={data?.map((t) => t.TableName) ?? []} onClose={() => setImporting(false)} /></Suspense>}
      {cloning && <Suspense fallback={null}><CloneDialog of={{ table: cloning.TableName }} items={cloning.ItemCount} onClose={() => setCloning(undefined)} /></Suspense>}
      {creating && <CreateTable onClose={() => setCreating(false)} />}
      {deletingSeveral.length > 0 && <DeleteTables tables={deletingSeveral} onClose={() => setDeletingSeveral([])} />}
      {deleting && <DeleteTable name={deleting} onClose={() => setDeleting('')} />}
    </>
  )
}
