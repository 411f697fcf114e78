import { lazy, Suspense, useMemo, useState } from 'react'
import { useEmulator } from '../../app/session'
import { copyAs, languages } from '../../copyas/copyas'
import type { Found, ItemsState } from '../../queries/itemsReader'
import type { Item } from '../../values/attribute'
import { itemsAsCSV } from '../../values/csv'
import { download } from '../../values/download'
import { printNativeJson } from '../../values/nativeJson'
import { columns, keyId, keyNames, keyParts, type Table } from '../../values/table'
import { sortItems, type Sorting } from '../../values/sorting'
import { Button } from '../../widgets/Button'
import { ColumnChooser, useColumns } from '../../widgets/ColumnChooser'
import { copyText } from '../../widgets/Copy'
import { ExportMenu } from '../../widgets/ExportMenu'
import { Menu } from '../../widgets/Menu'
import { toast } from '../../widgets/Toasts'
import { BulkEdit } from '../editor/BulkEdit'
import { DeleteItems } from './DeleteItems'
import { Grid } from './Grid'

const ItemHistory = lazy(() => import('../history/ItemHistory'))

/** Results shows what a request found, what it took, and what can be done with it. table is absent for PartiQL's page. */
export function Results({ table, state, onMore, onOpen, onReload, onNew }: {
  table: Table | undefined; state: ItemsState; onMore: () => void; onOpen: (item: Item) => void; onReload: () => void; onNew?: () => void
}) {
  const { found, busy } = state
  const [selected, select] = useState(new Set<string>())
  const [sorting, sort] = useState<Sorting>()
  const [history, setHistory] = useState<Item>()
  const [bulk, setBulk] = useState<'delete' | 'edit'>()
  const keys = useMemo(() => (table && found ? gridKeys(table, found) : []), [table, found])
  const shown = useMemo(() => sortItems(found?.items ?? [], sorting), [found, sorting])
  const names = useMemo(() => columns(found?.items ?? [], keys), [found, keys])
  const choice = useColumns(`dynamodb/${table?.TableName ?? ''}`, names, table ? keys : names)
  if (!found) return busy ? <p className="muted" role="status">Reading…</p> : null

  const idOf = (item: Item) => (table ? keyId(table, item) : JSON.stringify(item))
  const chosen = found.items.filter((i) => selected.has(idOf(i)))
  const done = () => {
    setBulk(undefined)
    select(new Set())
    onReload()
  }
  return (
    <section className="panel" aria-label="Results" aria-busy={busy}>
      <div className="panel-head">
        <h2>{found.items.length.toLocaleString('en-US')} {found.items.length === 1 ? 'item' : 'items'}{found.next && ' so far'}</h2>
        <div className="row">
          {table && chosen.length > 0 && (
            <>
              {chosen.length === 1 && <Button small onPress={() => setHistory(chosen[0])}>Item history</Button>}
              <Button small onPress={() => setBulk('edit')}>Edit {chosen.length}</Button>
              <Button small kind="danger" icon="trash" onPress={() => setBulk('delete')}>Delete {chosen.length}</Button>
            </>
          )}
          {table && <ColumnChooser {...choice} />}
          <CopyAs found={found} />
          <Export name={table?.TableName ?? 'partiql'} items={chosen.length > 0 ? chosen : found.items} names={names} found={found} />
          {onNew && <Button small icon="plus" onPress={onNew}>New item</Button>}
        </div>
      </div>
      {shown.length === 0 ? <div className="empty">{found.next ? 'No item on these pages' : 'No items'}</div> : (
        <Grid items={shown} columns={choice.shown} keys={keys} idOf={idOf} selected={selected} onSelect={select}
          onOpen={onOpen} sorting={sorting} onSort={sort} />
      )}
      <StatusLine found={found} hidden={names.length - choice.shown.length} busy={busy} onMore={onMore} />
      {table && history && (
        <Suspense fallback={null}><ItemHistory table={table} item={history} onClose={() => setHistory(undefined)} /></Suspense>
      )}
      {table && bulk === 'delete' && <DeleteItems table={table} items={chosen} onClose={() => setBulk(undefined)} onDone={done} />}
      {table && bulk === 'edit' && <BulkEdit table={table} items={chosen} onClose={() => setBulk(undefined)} onDone={done} />}
    </section>
  )
}

/** gridKeys are the key attributes of the table, then those of the index that was read. */
function gridKeys(table: Table, found: Found): string[] {
  const index = found.request.input.IndexName as string | undefined
  return [...new Set([...keyNames(table.KeySchema), ...(index ? keyParts(table, index).map((k) => k.name) : [])])]
}

function StatusLine({ found, hidden, busy, onMore }: { found: Found; hidden: number; busy: boolean; onMore: () => void }) {
  return (
    <div className="status-line" role="status">
      <span><strong>{units(found.units)}</strong> capacity units</span>
      {found.usd !== undefined && <span><strong>${found.usd.toFixed(9).replace(/0+$/, '').replace(/\.$/, '')}</strong> on AWS</span>}
      {found.scanned !== undefined && <span><strong>{found.scanned.toLocaleString('en-US')}</strong> read</span>}
      <span><strong>{found.pages}</strong> {found.pages === 1 ? 'page' : 'pages'}</span>
      <span><strong>{Math.max(1, Math.round(found.milliseconds))}</strong> ms</span>
      {hidden > 0 && <span>Columns not shown: {hidden}</span>}
      <span className="grow" />
      {found.next ? <Button small onPress={onMore} isDisabled={busy}>Next page</Button> : <span>Last page</span>}
    </div>
  )
}

function units(n: number): string {
  return n.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

function CopyAs({ found }: { found: Found }) {
  const { overview, region } = useEmulator()
  const copy = async (language: (typeof languages)[number]) => {
    await copyText(copyAs(language, found.request, { ...overview.dynamodb, region }))
    toast(`The request is on the clipboard as ${language}`)
  }
  return <Menu small label="Copy as" icon="copy" actions={languages.map((l) => ({ id: l, label: l, run: () => void copy(l) }))} />
}

function Export({ name, items, names, found }: { name: string; items: Item[]; names: string[]; found: Found }) {
  const lines = (write: (item: Item) => string) => items.map((i) => write(i) + '\n').join('')
  return (
    <ExportMenu name={name} all={found.next && found.request} shown={[
      { id: 'csv', label: 'CSV', run: () => download(`${name}.csv`, 'text/csv', itemsAsCSV(items, names)) },
      { id: 'json', label: 'JSON', run: () => download(`${name}.json`, 'application/json', `[\n${items.map(printNativeJson).join(',\n')}\n]\n`) },
      { id: 'dynamodb', label: 'DynamoDB JSON lines', run: () => download(`${name}.ddb.jsonl`, 'application/jsonl', lines((i) => JSON.stringify({ Item: i }))) },
    ]} />
  )
}
