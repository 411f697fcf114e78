import { useEffect, useMemo, useState } from 'react'
import { listTables } from '../../api/dynamodb'
import { useResource } from '../../api/useResource'
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
import { PartiQL, partiqlRequest } from '../items/PartiQL'
import { Results } from '../items/Results'
import { useItems } from '../items/useItems'

/** PartiQLPage runs statements about any table. */
export default function PartiQLPage() {
  const tables = useResource('tables', listTables, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  const [statement, setStatement] = useState({ text: '', parameters: '' })
  const [wrong, setWrong] = useState<Error>()
  const [open, setOpen] = useState<Item>()
  const items = useItems()
  const history = useHistory('partiql')
  const names = useMemo(() => columns(items.found?.items ?? [], []), [items.found])

  const first = tables.data?.[0]
  useEffect(() => {
    if (first) setStatement((s) => (s.text ? s : { ...s, text: `SELECT * FROM "${first.replaceAll('"', '""')}"` }))
  }, [first])
  const run = () => {
    try {
      setWrong(undefined)
      history.add({ operation: '', text: statement.text })
      void items.run(partiqlRequest(statement.text, statement.parameters), 1)
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <>
      <div className="page-head"><h1>PartiQL</h1></div>
      <section className="panel panel-body stack" aria-label="Statement">
        <PartiQL statement={statement} onChange={setStatement} onRun={run} tables={tables.data ?? []} names={names} />
        <div className="row">
          <Button kind="primary" icon="play" onPress={run} isDisabled={!statement.text.trim()}>Run</Button>
          {items.busy && <Button onPress={items.stop}>Stop</Button>}
          <span className="muted small">Ctrl-Enter runs the statement</span>
        </div>
        <ErrorMessage error={wrong ?? items.error} />
      </section>
      <Results table={undefined} state={items} onMore={() => items.more(1)} onOpen={setOpen} onReload={run} />
      <History {...history} onOpen={(sent) => setStatement({ text: sent.text, parameters: '' })} />
      {open && <ItemView item={open} onClose={() => setOpen(undefined)} />}
    </>
  )
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
