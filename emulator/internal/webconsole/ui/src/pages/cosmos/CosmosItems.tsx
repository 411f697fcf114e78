import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { Container } from '../../api/cosmos'
import { useRefresh } from '../../api/useRefresh'
import { concernsContainer } from '../../api/useResource'
import { useCell } from '../../queries/cell'
import { CosmosReader } from '../../queries/cosmosReader'
import { propertyColumns } from '../../values/columns'
import { isWhole } from '../../values/document'
import { compact, print, type Node } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Select, TextField } from '../../widgets/Field'
import { History, useHistory } from '../../widgets/History'
import { cosmosLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { CosmosResults } from './CosmosResults'
import { DocumentEditor } from './DocumentEditor'

const DocumentHistory = lazy(() => import('../history/DocumentHistory'))

/** CosmosItems queries a container and shows what it finds. */
export function CosmosItems({ database, container }: { database: string; container: Container }) {
  const [sql, setSQL] = useState('SELECT * FROM c')
  const [partitionKey, setPartitionKey] = useState('')
  const [limit, setLimit] = useState('100')
  const [open, setOpen] = useState<{ document?: Node; copy?: boolean }>()
  const [versions, setVersions] = useState<Node>()
  const [reader] = useState(() => new CosmosReader())
  const { rows, error, busy } = useCell(reader)
  const names = useMemo(() => propertyColumns(rows?.documents ?? [], container.partitionKey.paths), [rows, container])
  const language = useMemo(() => cosmosLanguage(names), [names])
  const history = useHistory('cosmos')
  const start = () => void reader.run({ database, container: container.id, sql, partitionKey: partitionKey.trim(), limit: Number(limit) })
  const run = () => {
    history.add({ operation: '', text: sql })
    start()
  }
  useEffect(start, [database, container.id])
  useRefresh(concernsContainer(database, container.id, 'items'), busy, () => reader.refresh())
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
        <ErrorMessage error={error} />
      </section>
      {rows && (
        <CosmosResults {...{ database, container, rows, names, busy }} onMore={() => reader.more()} onOpen={(document) => setOpen({ document })}
          onReload={() => reader.refresh()} />
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
