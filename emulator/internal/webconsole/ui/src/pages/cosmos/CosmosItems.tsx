import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Container } from '../../api/cosmos'
import { useRefresh } from '../../api/useRefresh'
import { concernsContainer } from '../../api/useResource'
import { useCell } from '../../queries/cell'
import { CosmosReader } from '../../queries/cosmosReader'
import { QueryTabs } from '../../queries/QueryTabs'
import { SavedQueries } from '../../queries/SavedQueries'
import { useQueryTabs } from '../../queries/useQueryTabs'
import { useSaved } from '../../queries/useSaved'
import { propertyColumns } from '../../values/columns'
import { isWhole } from '../../values/document'
import { compact, print, type Node } from '../../values/losslessJson'
import { cosmosMarks } from '../../values/marks'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Select, TextField } from '../../widgets/Field'
import { History, useHistory } from '../../widgets/History'
import { cosmosLanguage } from '../../widgets/languages'
import { CosmosResults } from './CosmosResults'
import { DocumentEditor } from './DocumentEditor'
import { QueryError } from './QueryError'

const DocumentHistory = lazy(() => import('../history/DocumentHistory'))

/** QueryForm is a query as it is written in its tab. */
interface QueryForm { sql: string; partitionKey: string; limit: string }

const firstQuery = (): QueryForm => ({ sql: 'SELECT * FROM c', partitionKey: '', limit: '100' })

/** CosmosItems queries a container in several tabs, and shows what the query of one finds. */
export function CosmosItems({ database, container }: { database: string; container: Container }) {
  const tabs = useQueryTabs(`cosmos ${database}/${container.id}`, firstQuery, () => new CosmosReader())
  const { id, query, reader } = tabs.current
  const saved = useSaved('cosmos', isQueryForm)
  const [open, setOpen] = useState<{ document?: Node; copy?: boolean }>()
  const [versions, setVersions] = useState<Node>()
  const { rows, error, failed, busy } = useCell(reader)
  const marks = useMemo(() => (error && failed ? cosmosMarks(failed.sql, error.message) : undefined), [failed, error])
  const names = useMemo(() => propertyColumns(rows?.documents ?? [], container.partitionKey.paths), [rows, container])
  const language = useMemo(() => cosmosLanguage(names), [names])
  const history = useHistory('cosmos')
  const set = (change: Partial<QueryForm>) => tabs.change(id, { query: { ...query, ...change } })
  const start = () => void reader.run({ ...query, database, container: container.id, partitionKey: query.partitionKey.trim(), limit: Number(query.limit) })
  const run = () => {
    history.add({ operation: '', text: query.sql })
    start()
  }
  useEffect(() => {
    if (rows) reader.refresh()
    else if (!busy && !error) start()
  }, [reader])
  useRefresh(concernsContainer(database, container.id, 'items'), busy, () => reader.refresh())
  return (
    <>
      <QueryTabs label="Query" tabs={tabs} saved={saved}>
        <CodeEditor key={id} label="SQL query" value={query.sql} marks={marks} onChange={(sql) => set({ sql })} onRun={run} language={language} size="short" />
        <div className="row top">
          <TextField className="grow" label="Partition key (optional)" value={query.partitionKey} onChange={(partitionKey) => set({ partitionKey })} mono
            placeholder='["customer-1"]' onKeyDown={(e) => e.key === 'Enter' && run()} />
          <Select label="Items per page" value={query.limit} onChange={(limit) => set({ limit })} options={['25', '50', '100', '200', '500', '1000']} />
          <Button kind="primary" icon="play" onPress={run}>Run</Button>
          <Button icon="plus" onPress={() => setOpen({})}>New item</Button>
        </div>
        <p className="muted small">Ctrl-Enter runs the query. Tab leaves the editor.</p>
        <QueryError error={error} sql={failed?.sql ?? ''} />
      </QueryTabs>
      {rows && (
        <CosmosResults key={id} {...{ database, container, rows, names, busy }} onMore={() => reader.more()} onOpen={(document) => setOpen({ document })}
          onReload={() => reader.refresh()} />
      )}
      <SavedQueries saved={saved} textOf={(q) => q.sql} onOpen={(s) => tabs.open(s.query, s.name)} />
      <History {...history} onOpen={(sent) => set({ sql: sent.text })} />
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

function isQueryForm(query: unknown): query is QueryForm {
  const form = query as Partial<QueryForm> | null
  return typeof form?.sql === 'string' && typeof form.partitionKey === 'string' && typeof form.limit === 'string'
}
