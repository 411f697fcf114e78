import { useEffect, useRef, useState } from 'react'
import { call, describeTable, listTables, type Result } from '../../api/dynamodb'
import { useResource } from '../../api/useResource'
import { useEmulator } from '../../app/session'
import { copyAs, languages } from '../../copyas/copyas'
import { parse, print } from '../../values/losslessJson'
import { keyNames, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Code, copyText } from '../../widgets/Copy'
import { Select } from '../../widgets/Field'
import { History, useHistory } from '../../widgets/History'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'
import { groups, templateOf, type Names } from './operations'

const check = checkWith(parse)

/** OperationsPage sends any operation of DynamoDB or DynamoDB Streams. */
export default function OperationsPage() {
  const { overview, region } = useEmulator()
  const tables = useResource('tables', listTables, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  const [operation, setOperation] = useState('GetItem')
  const [table, setTable] = useState('')
  const [text, setText] = useState('')
  const template = useRef('')
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ operation?: string; result?: Result<unknown>; error?: Error }>({})
  const history = useHistory('requests')

  const first = tables.data && (tables.data[0] ?? '')
  useEffect(() => {
    if (first !== undefined && !table) void choose(operation, first)
  }, [first])
  const choose = async (nextOperation: string, nextTable: string) => {
    setOperation(nextOperation)
    setTable(nextTable)
    const described = nextTable ? await describeTable(nextTable).catch(() => undefined) : undefined
    const made = templateOf(nextOperation, namesOf(nextTable, described))
    const before = template.current
    template.current = made
    // What was typed stays when only the table changes.
    setText((typed) => (nextOperation === operation && typed !== before ? typed : made))
  }
  const run = async () => {
    setBusy(true)
    try {
      const input = JSON.parse(text) as unknown
      history.add({ operation, text })
      setOutcome({ operation, result: await call(operation, input) })
    } catch (error) {
      setOutcome({ operation, error: error as Error })
    } finally {
      setBusy(false)
    }
  }
  const copy = (language: (typeof languages)[number]) => async () => {
    try {
      await copyText(copyAs(language, { operation, input: JSON.parse(text) as Record<string, unknown> }, { ...overview.dynamodb, region }))
      toast(`The request is on the clipboard as ${language}`)
    } catch (error) {
      setOutcome({ operation, error: error as Error })
    }
  }
  return (
    <>
      <div className="page-head"><h1>Operations</h1></div>
      <section className="panel panel-body stack" aria-label="Request">
        <div className="row top">
          <OperationSelect value={operation} onChange={(o) => void choose(o, table)} />
          {tables.data && tables.data.length > 0 && <Select label="Table" value={table} onChange={(t) => void choose(operation, t)} options={tables.data} />}
        </div>
        <CodeEditor label="Input" value={text} onChange={setText} onRun={() => void run()} language={jsonLanguage} check={check} lines />
        <div className="row">
          <Button kind="primary" icon="play" onPress={run} isDisabled={busy || !text.trim()}>Send</Button>
          <Menu label="Copy as" icon="copy" actions={languages.map((l) => ({ id: l, label: l, run: () => void copy(l)() }))} />
          <span className="muted small">Ctrl-Enter sends the request</span>
        </div>
        <ErrorMessage error={outcome.error} />
      </section>
      {outcome.result && <Answer operation={outcome.operation!} result={outcome.result} />}
      <History {...history} onOpen={(sent) => {
        setOperation(sent.operation)
        setText(sent.text)
      }} />
    </>
  )
}

function OperationSelect({ value, onChange }: { value: string; onChange: (operation: string) => void }) {
  return (
    <div className="field">
      <label htmlFor="operation">Operation</label>
      <select id="operation" className="input" value={value} onChange={(e) => onChange(e.target.value)}>
        {groups.map((g) => (
          <optgroup key={g.title} label={g.title}>{Object.keys(g.operations).map((o) => <option key={o}>{o}</option>)}</optgroup>
        ))}
      </select>
    </div>
  )
}

function Answer({ operation, result }: { operation: string; result: Result<unknown> }) {
  return (
    <section className="panel" aria-label="Response">
      <div className="panel-head"><h2>Response of {operation}</h2></div>
      <div className="panel-body"><Code label="Response" text={result.text ? print(parse(result.text)) : 'The response has no body.'} /></div>
      <div className="status-line" role="status">
        {result.cost && <span><strong>${result.cost.usd}</strong> on AWS</span>}
        <span><strong>{Math.max(1, Math.round(result.milliseconds))}</strong> ms</span>
      </div>
    </section>
  )
}

/** namesOf are the names of a table for a template, with values for its key. */
function namesOf(table: string, described: Table | undefined): Names {
  const types = Object.fromEntries((described?.AttributeDefinitions ?? []).map((a) => [a.AttributeName, a.AttributeType]))
  const values: Record<string, unknown> = { S: { S: 'value' }, N: { N: '1' }, B: { B: 'AAE=' } }
  const names = described ? keyNames(described.KeySchema) : []
  return {
    table: table || 'orders', arn: described?.TableArn ?? 'arn',
    key: Object.fromEntries(names.map((n) => [n, values[types[n] ?? 'S']])),
  }
}
