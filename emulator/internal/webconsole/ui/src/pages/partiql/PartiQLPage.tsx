import { useEffect, useMemo, useRef, useState } from 'react'
import { listTables } from '../../api/dynamodb'
import { useResource } from '../../api/useResource'
import { useEmulator } from '../../app/session'
import { useCell } from '../../queries/cell'
import { ItemsReader } from '../../queries/itemsReader'
import { QueryTabs } from '../../queries/QueryTabs'
import { SavedQueries } from '../../queries/SavedQueries'
import { useQueryTabs } from '../../queries/useQueryTabs'
import { useSaved } from '../../queries/useSaved'
import type { Item } from '../../values/attribute'
import { printDynamoJson } from '../../values/dynamoJson'
import { printNativeJson } from '../../values/nativeJson'
import { columns } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { History, useHistory } from '../../widgets/History'
import { ErrorMessage } from '../../widgets/Message'
import { Segments } from '../../widgets/Field'
import { PartiQL, partiqlRequest, type Statement } from '../items/PartiQL'
import { Results } from '../items/Results'

const noStatement = (): Statement => ({ text: '', parameters: '' })

/** PartiQLPage runs statements about any table, in several tabs. Users, regions and access keys have tabs of their own. */
export default function PartiQLPage() {
  const tables = useResource('tables', listTables, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  const { session, overview, region } = useEmulator()
  const tabs = useQueryTabs(`partiql ${session.user} ${overview.dynamodb.accessKeyId} ${region}`, noStatement, () => new ItemsReader())
  const { id, query: statement, reader } = tabs.current
  const saved = useSaved('partiql', isStatement)
  const [wrong, setWrong] = useState<Error>()
  const [open, setOpen] = useState<Item>()
  const items = useCell(reader)
  const history = useHistory('partiql')
  const names = useMemo(() => columns(items.found?.items ?? [], []), [items.found])

  // typed are the tabs whose statement was changed: the first text must not replace what was typed before the tables came.
  const typed = useRef(new Set<typeof id>())
  const set = (next: Statement) => {
    typed.current.add(id)
    tabs.change(id, { query: next })
  }
  const first = tables.data?.[0]
  useEffect(() => {
    if (first && !statement.text && !typed.current.has(id)) {
      tabs.change(id, { query: { ...statement, text: `SELECT * FROM "${first.replaceAll('"', '""')}"` } })
    }
    setWrong(undefined)
  }, [first, id])
  const run = () => {
    try {
      setWrong(undefined)
      history.add({ operation: '', text: statement.text })
      void reader.run(partiqlRequest(statement.text, statement.parameters), 1)
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <>
      <div className="page-head"><h1>PartiQL</h1></div>
      <QueryTabs label="Statement" tabs={tabs} saved={saved}>
        <PartiQL key={id} statement={statement} state={items} onChange={set} onRun={run} tables={tables.data ?? []} names={names} />
        <div className="row">
          <Button kind="primary" icon="play" onPress={run} isDisabled={!statement.text.trim()}>Run</Button>
          {items.busy && <Button onPress={() => reader.stop()}>Stop</Button>}
          <span className="muted small">Ctrl-Enter runs the statement. Tab leaves the editor.</span>
        </div>
        <ErrorMessage error={wrong ?? items.error} />
      </QueryTabs>
      <Results key={id} table={undefined} state={items} onMore={() => reader.more(1)} onOpen={setOpen} onReload={run} />
      <SavedQueries saved={saved} textOf={(s) => s.text} onOpen={(s) => tabs.open(s.query, s.name)} />
      <History {...history} onOpen={(sent) => set({ text: sent.text, parameters: '' })} />
      {open && <ItemView item={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function isStatement(query: unknown): query is Statement {
  const statement = query as Partial<Statement> | null
  return typeof statement?.text === 'string' && typeof statement.parameters === 'string'
}

function ItemView({ item, onClose }: { item: Item; onClose: () => void }) {
  const [view, setView] = useState<'native' | 'dynamodb'>('native')
  return (
    <Dialog title="Item" place="side" onClose={onClose}>
      <div><Segments label="View" value={view} onChange={setView} options={[
        { value: 'native', label: 'JSON' }, { value: 'dynamodb', label: 'DynamoDB JSON' },
      ]} /></div>
      <Code label="Item" text={view === 'native' ? printNativeJson(item) : printDynamoJson(item)} />
    </Dialog>
  )
}
