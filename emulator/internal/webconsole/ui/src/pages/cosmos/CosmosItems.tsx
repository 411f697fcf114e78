import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useRefresh } from '../../api/useRefresh'
import type { Container } from '../../api/cosmos'
import { concernsContainer } from '../../api/useResource'
import { download } from '../../values/download'
import { csv, guardFormula } from '../../values/csv'
import { compact, member, plain, print, type Node } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Select, TextField } from '../../widgets/Field'
import { History, useHistory } from '../../widgets/History'
import { cosmosLanguage } from '../../widgets/languages'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage } from '../../widgets/Message'
import { columnsOf } from './columns'
import { CosmosGrid } from './CosmosGrid'
import { DocumentEditor } from './DocumentEditor'
import { Statistics } from './Statistics'
import { useQuery, type Rows } from './useQuery'

const DocumentHistory = lazy(() => import('../history/DocumentHistory'))

/** CosmosItems queries a container and shows what it finds. */
export function CosmosItems({ database, container }: { database: string; container: Container }) {
  const [sql, setSQL] = useState('SELECT * FROM c')
  const [partitionKey, setPartitionKey] = useState('')
  const [limit, setLimit] = useState('100')
  const [open, setOpen] = useState<{ document?: Node; copy?: boolean }>()
  const [versions, setVersions] = useState<Node>()
  const query = useQuery(database, container.id)
  const names = useMemo(() => columnsOf(query.rows?.documents ?? []), [query.rows])
  const language = useMemo(() => cosmosLanguage(names), [names])
  const history = useHistory('cosmos')
  const start = () => void query.run(sql, partitionKey.trim(), Number(limit))
  const run = () => {
    history.add({ operation: '', text: sql })
    start()
  }
  useEffect(start, [database, container.id])
  useRefresh(concernsContainer(database, container.id, 'items'), query.busy, () => {
    if (query.rows) void query.run(query.rows.sql, partitionKey.trim(), Math.max(Number(limit), query.rows.documents.length))
  })
  return (
    <>
      <section className="panel panel-body stack" aria-label="Query">
        <CodeEditor label="SQL query" value={sql} onChange={setSQL} onRun={run} language={language} size="short" />
        <div className="row top">
          <TextField className="grow" label="Partition key (optional)" value={partitionKey} onChange={setPartitionKey} mono placeholder='["customer-1"]'
            onKeyDown={(e) => e.key === 'Enter' && run()} />
          <Select label="Items per page" value={limit} onChange={setLimit} options={['25', '50', '100', '200', '500', '1000']} />
          <Button kind="primary" icon="play" onPress={run}>Run</Button>
          <Button icon="plus" onPress={() => setOpen({})}>New item</Button>
        </div>
        <ErrorMessage error={query.error} />
      </section>
      {query.rows && (
        <section className="panel" aria-label="Results" aria-busy={query.busy}>
          <div className="panel-head">
            <h2>{query.rows.documents.length.toLocaleString('en-US')} {query.rows.documents.length === 1 ? 'result' : 'results'}{query.rows.next && ' so far'}</h2>
            <Export name={container.id} rows={query.rows} names={names} />
          </div>
          {query.rows.documents.length === 0 ? <div className="empty">No results</div> : (
            <CosmosGrid documents={query.rows.documents} columns={names} onOpen={(document) => setOpen({ document })} />
          )}
          <StatusLine rows={query.rows} busy={query.busy} onMore={() => query.more(partitionKey.trim(), Number(limit))} />
          <Statistics page={query.rows} />
        </section>
      )}
      <History {...history} onOpen={(sent) => setSQL(sent.text)} />
      {open && (open.document && !isWhole(open.document) ? (
        <Dialog title="Result" place="side" onClose={() => setOpen(undefined)}><Code label="Result" text={print(open.document)} /></Dialog>
      ) : (
        <DocumentEditor key={open.document ? compact(open.document) + String(open.copy) : 'new'} database={database} container={container}
          onClose={() => setOpen(undefined)} onDuplicate={(document) => setOpen({ document, copy: true })} {...open}
          onHistory={(document) => { setOpen(undefined); setVersions(document) }} />
      ))}
      {versions && (
        <Suspense fallback={null}><DocumentHistory {...{ database, container }} document={versions} onClose={() => setVersions(undefined)} /></Suspense>
      )}
    </>
  )
}

/** isWhole reports whether a result is an item of the container, not a projection: it can then be edited. */
function isWhole(document: Node): boolean {
  return ['id', '_etag', '_self'].every((name) => member(document, name) !== undefined)
}

function StatusLine({ rows, busy, onMore }: { rows: Rows; busy: boolean; onMore: () => void }) {
  const number = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: 2 })
  return (
    <div className="status-line" role="status">
      <span><strong>{number(rows.charge)}</strong> RU</span>
      {rows.pages > 1 && <span><strong>{number(rows.lastCharge)}</strong> RU for the last page</span>}
      <span><strong>{rows.pages}</strong> {rows.pages === 1 ? 'page' : 'pages'}</span>
      <span><strong>{Math.max(1, Math.round(rows.milliseconds))}</strong> ms</span>
      <span className="grow" />
      {rows.next ? <Button small onPress={onMore} isDisabled={busy}>Next page</Button> : <span>All pages are read</span>}
    </div>
  )
}

function Export({ name, rows, names }: { name: string; rows: Rows; names: string[] }) {
  const cell = (node: Node | undefined) => (node?.kind === 'string' ? guardFormula(node.text) : plain(node))
  const table = () => (names.length > 0 ? csv(names, rows.documents.map((d) => names.map((n) => cell(member(d, n))))) : csv(['value'], rows.documents.map((d) => [cell(d)])))
  return (
    <Menu small label="Export" icon="down" actions={[
      { id: 'csv', label: 'CSV', run: () => download(`${name}.csv`, 'text/csv', table()) },
      { id: 'json', label: 'JSON', run: () => download(`${name}.json`, 'application/json', `[\n${rows.documents.map((d) => print(d)).join(',\n')}\n]\n`) },
      { id: 'lines', label: 'JSON lines', run: () => download(`${name}.jsonl`, 'application/jsonl', rows.documents.map((d) => compact(d) + '\n').join('')) },
    ]} />
  )
}
