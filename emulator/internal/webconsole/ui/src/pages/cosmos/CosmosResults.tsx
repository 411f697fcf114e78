import { useState } from 'react'
import type { Container } from '../../api/cosmos'
import { useEmulator } from '../../app/session'
import { copyCosmosAs, cosmosLanguages, type CosmosLanguage } from '../../copyas/cosmos/cosmos'
import type { CosmosQuery } from '../../copyas/cosmos/query'
import type { Rows } from '../../queries/cosmosReader'
import { fixedProperties } from '../../values/columns'
import { csv, guardFormula } from '../../values/csv'
import { isWhole } from '../../values/document'
import { download } from '../../values/download'
import { compact, member, plain, print, type Node } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { ColumnChooser, useColumns } from '../../widgets/ColumnChooser'
import { copyText } from '../../widgets/Copy'
import { ExportMenu } from '../../widgets/ExportMenu'
import { Menu } from '../../widgets/Menu'
import { toast } from '../../widgets/Toasts'
import { CosmosGrid } from './CosmosGrid'
import { DeleteDocuments } from './DeleteDocuments'
import { Statistics } from './Statistics'

interface Props {
  database: string
  container: Container
  rows: Rows
  names: string[]
  busy: boolean
  onMore: () => void
  onOpen: (document: Node) => void
  onReload: () => void
}

/** CosmosResults shows what a query found, what it took, and what can be done with it. */
export function CosmosResults({ database, container, rows, names, busy, onMore, onOpen, onReload }: Props) {
  const [selected, select] = useState(new Set<string>())
  const [deleting, setDeleting] = useState(false)
  const choice = useColumns(`cosmos/${database}/${container.id}`, names, fixedProperties(container.partitionKey.paths))
  // A join may find an item several times.
  const chosen = [...new Map(rows.documents.map((d) => [idOf(d), d])).entries()].filter(([id]) => id !== undefined && selected.has(id)).map(([, d]) => d)
  const done = () => {
    setDeleting(false)
    select(new Set())
    onReload()
  }
  return (
    <section className="panel" aria-label="Results" aria-busy={busy}>
      <div className="panel-head">
        <h2>{rows.documents.length.toLocaleString('en-US')} {rows.documents.length === 1 ? 'result' : 'results'}{rows.next && ' so far'}</h2>
        <div className="row">
          {chosen.length > 0 && <Button small kind="danger" icon="trash" onPress={() => setDeleting(true)}>Delete {chosen.length}</Button>}
          <ColumnChooser {...choice} />
          <CopyAs query={rows.query} />
          <Export name={container.id} documents={chosen.length > 0 ? chosen : rows.documents} names={names} all={rows.next ? rows.query : undefined} />
        </div>
      </div>
      {rows.documents.length === 0 ? <div className="empty">No results</div> : (
        <CosmosGrid documents={rows.documents} columns={choice.shown} onOpen={onOpen} idOf={idOf} selected={selected} onSelect={select} />
      )}
      <StatusLine rows={rows} hidden={names.length - choice.shown.length} busy={busy} onMore={onMore} />
      <Statistics page={rows} />
      {deleting && <DeleteDocuments database={database} container={container} items={chosen} onClose={() => setDeleting(false)} onDone={done} />}
    </section>
  )
}

/** idOf tells the items of a container apart; a result that is no item has none. */
function idOf(document: Node): string | undefined {
  return isWhole(document) ? plain(member(document, '_self')) : undefined
}

function StatusLine({ rows, hidden, busy, onMore }: { rows: Rows; hidden: number; busy: boolean; onMore: () => void }) {
  const number = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: 2 })
  return (
    <div className="status-line" role="status">
      <span><strong>{number(rows.charge)}</strong> RU</span>
      {rows.pages > 1 && <span><strong>{number(rows.lastCharge)}</strong> RU for the last page</span>}
      <span><strong>{rows.pages}</strong> {rows.pages === 1 ? 'page' : 'pages'}</span>
      <span><strong>{Math.max(1, Math.round(rows.milliseconds))}</strong> ms</span>
      {hidden > 0 && <span>Columns not shown: {hidden}</span>}
      <span className="grow" />
      {rows.next ? <Button small onPress={onMore} isDisabled={busy}>Next page</Button> : <span>Last page</span>}
    </div>
  )
}

function CopyAs({ query }: { query: CosmosQuery }) {
  const { cosmos } = useEmulator().overview
  if (!cosmos) return null
  const copy = async (language: CosmosLanguage) => {
    try {
      await copyText(copyCosmosAs(language, query, cosmos))
      toast(`The query is on the clipboard as ${language}`)
    } catch (error) {
      toast((error as Error).message)
    }
  }
  return <Menu small label="Copy as" icon="copy" actions={cosmosLanguages.map((l) => ({ id: l, label: l, run: () => void copy(l) }))} />
}

function Export({ name, documents, names, all }: { name: string; documents: Node[]; names: string[]; all: CosmosQuery | undefined }) {
  const cell = (node: Node | undefined) => (node?.kind === 'string' ? guardFormula(node.text) : plain(node))
  const table = () => (names.length > 0 ? csv(names, documents.map((d) => names.map((n) => cell(member(d, n))))) : csv(['value'], documents.map((d) => [cell(d)])))
  return (
    <ExportMenu name={name} all={all && { database: all.database, container: all.container, query: all.sql, partitionKey: all.partitionKey }} shown={[
      { id: 'csv', label: 'CSV', run: () => download(`${name}.csv`, 'text/csv', table()) },
      { id: 'json', label: 'JSON', run: () => download(`${name}.json`, 'application/json', `[\n${documents.map((d) => print(d)).join(',\n')}\n]\n`) },
      { id: 'lines', label: 'JSON lines', run: () => download(`${name}.jsonl`, 'application/jsonl', documents.map((d) => compact(d) + '\n').join('')) },
    ]} />
  )
}
