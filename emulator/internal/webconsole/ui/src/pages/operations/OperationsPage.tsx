import { useMemo, useRef, useState } from 'react'
import { call, listTables, type Result } from '../../api/dynamodb'
import { useResource } from '../../api/useResource'
import { useEmulator } from '../../app/session'
import { copyAs, languages } from '../../copyas/copyas'
import { reasonsOf } from '../../forms/answers'
import { formOperations, hasForm, newRequestForm, requestOf, rowsOf, type FormOperation, type RequestForm } from '../../forms/requestForm'
import { parse } from '../../values/losslessJson'
import { keyNames, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { copyText } from '../../widgets/Copy'
import { Select } from '../../widgets/Field'
import { History, useHistory } from '../../widgets/History'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { Menu } from '../../widgets/Menu'
import { toast } from '../../widgets/Toasts'
import { groups, templateOf, type Names } from './operations'
import { Refusal } from './Refusal'
import { RequestFields } from './RequestFields'
import { Response } from './Response'
import { useTables } from './useTables'

const check = checkWith(parse)

/** OperationsPage sends any operation of DynamoDB or DynamoDB Streams: from a form if it has one, or from a template. */
export default function OperationsPage() {
  const { overview, region } = useEmulator()
  const listed = useResource('tables', listTables, (c) => c.cloud === 'dynamodb' && c.kind === 'schema')
  const names = listed.data ?? []
  const [operation, setOperation] = useState('GetItem')
  const [choice, setChoice] = useState('')
  const [form, setForm] = useState(newRequestForm)
  /** What was typed or opened from the history instead of what is generated. */
  const [typed, setTyped] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>({})
  const history = useHistory('requests')

  const table = names.includes(choice) ? choice : names[0] ?? ''
  const used = [...new Set([table, ...form.rows.map((r) => r.table)])].filter(Boolean)
  const tables = useTables(used)
  const formOperation = hasForm(operation) && table ? operation : undefined
  const generated = useGenerated(operation, formOperation, form, table, tables, listed.data !== undefined)
  const text = typed ?? generated.text
  const incomplete = typed === undefined ? generated.error : undefined

  const send = async (sent: string) => {
    setBusy(true)
    const rows = formOperation && typed === undefined && sent === text ? rowsOf(formOperation, form, table).map((r) => r.id) : []
    try {
      const input = JSON.parse(sent) as Record<string, unknown>
      history.add({ operation, text: sent })
      setOutcome({ operation, input, result: await call(operation, input) })
    } catch (error) {
      setOutcome({ operation, error: error as Error, rows })
    } finally {
      setBusy(false)
    }
  }
  const run = () => (text.trim() && !incomplete ? send(text) : undefined)
  const sendAgain = (requests: unknown) => {
    const again = JSON.stringify({ ...outcome.input, RequestItems: requests }, null, 2)
    setTyped(again)
    void send(again)
  }
  const copy = (language: (typeof languages)[number]) => async () => {
    try {
      await copyText(copyAs(language, { operation, input: JSON.parse(text) as Record<string, unknown> }, { ...overview.dynamodb, region }))
      toast(`The request is on the clipboard as ${language}`)
    } catch (error) {
      setOutcome({ operation, error: error as Error })
    }
  }
  const reasons = new Map(reasonsOf(outcome.error).flatMap((r, i) => (outcome.rows?.[i] ? [[outcome.rows[i], r] as const] : [])))
  return (
    <>
      <div className="page-head"><h1>Operations</h1></div>
      <section className="panel panel-body stack" aria-label="Request">
        <div className="row top operation-head">
          <OperationSelect value={operation} onChange={(o) => { setOperation(o); setTyped(undefined); setOutcome({}) }} />
          {names.length > 0 && (!formOperation || formOperations[formOperation].most === 1) && (
            <Select label="Table" value={table} onChange={setChoice} options={names} />
          )}
        </div>
        <div className={formOperation ? 'operation-columns' : ''}>
          {formOperation && (
            <div className="stack" role="group" aria-label={`Form of ${formOperation}`}>
              {typed === undefined ? (
                <RequestFields key={formOperation} operation={formOperation} {...{ form, names, tables, reasons }} chosen={table} onChange={setForm} />
              ) : (
                <div className="message row spread" role="status">
                  <span>The input is edited. The form has not changed.</span>
                  <Button icon="undo" onPress={() => setTyped(undefined)}>Back to the form</Button>
                </div>
              )}
            </div>
          )}
          <div className="stack">
            <CodeEditor label="Input" value={text} onChange={(t) => setTyped(t === generated.text ? undefined : t)} onRun={() => void run()}
              language={jsonLanguage} check={check} lines />
            {incomplete && <p className="error-text" role="status">The form is incomplete. {incomplete.message}</p>}
          </div>
        </div>
        <div className="row">
          <Button kind="primary" icon="play" onPress={() => void run()} isDisabled={busy || !text.trim() || incomplete !== undefined}>Send</Button>
          <Menu label="Copy as" icon="copy" actions={languages.map((l) => ({ id: l, label: l, run: () => void copy(l)() }))} />
          <span className="muted small">Ctrl-Enter sends the request</span>
        </div>
        <Refusal error={outcome.error} />
      </section>
      {outcome.result && <Response operation={outcome.operation!} result={outcome.result} onAgain={sendAgain} />}
      <History {...history} onOpen={(sent) => {
        setOperation(sent.operation)
        setTyped(sent.text)
      }} />
    </>
  )
}

interface Outcome {
  operation?: string
  input?: Record<string, unknown>
  result?: Result<unknown>
  error?: Error
  /** The ids of the form's rows that were sent. */
  rows?: number[]
}

/** useGenerated is the request of the form or the template. While the form is incomplete, the text is that from before, and there is an error. */
function useGenerated(operation: string, formOperation: FormOperation | undefined, form: RequestForm, table: string,
  tables: ReadonlyMap<string, Table>, isReady: boolean): { text: string; error?: Error } {
  const complete = useRef({ operation: '', text: '' })
  return useMemo(() => {
    if (!isReady || (table && tables.size === 0)) return { text: '' }
    if (!formOperation) return { text: templateOf(operation, namesOf(table, tables.get(table))) }
    try {
      const text = JSON.stringify(requestOf(formOperation, form, table, tables).input, null, 2)
      complete.current = { operation, text }
      return { text }
    } catch (error) {
      return { text: complete.current.operation === operation ? complete.current.text : '', error: error as Error }
    }
  }, [operation, formOperation, form, table, tables, isReady])
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
