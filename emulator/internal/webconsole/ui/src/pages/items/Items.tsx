import { useCallback, useEffect, useMemo, useState } from 'react'
import { useRefresh } from '../../api/useRefresh'
import { concernsTable } from '../../api/useResource'
import { useCell } from '../../queries/cell'
import { ItemsReader } from '../../queries/itemsReader'
import type { Item } from '../../values/attribute'
import { buildRequest, emptyOperand, type ItemQuery, type Request } from '../../values/filter'
import { columns, keyParts, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'
import { Tabs } from '../../widgets/Tabs'
import { ItemEditor } from '../editor/ItemEditor'
import { Builder } from './Builder'
import { Expressions, expressionInput, type ExpressionForm } from './Expressions'
import { PartiQL, partiqlRequest } from './PartiQL'
import { Results } from './Results'

const tabs = ['Builder', 'Expressions', 'PartiQL'] as const

/** Items is the page of a table's items: a query above, the items that it found below. */
export function Items({ table }: { table: Table }) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('Builder')
  const [query, setQuery] = useState<ItemQuery>(() => firstQuery(table))
  const [form, setForm] = useState<ExpressionForm>()
  const [statement, setStatement] = useState({ text: `SELECT * FROM "${table.TableName.replaceAll('"', '""')}"`, parameters: '' })
  const [wrong, setWrong] = useState<Error>()
  const [editing, setEditing] = useState<{ item?: Item; copy?: boolean }>()
  const [reader] = useState(() => new ItemsReader())
  const items = useCell(reader)
  const names = useMemo(() => [...new Set([...table.AttributeDefinitions.map((d) => d.AttributeName), ...columns(items.found?.items ?? [], [])])],
    [items.found, table])

  const request = useCallback((): Request => {
    if (tab === 'Expressions' && form) return expressionInput(table.TableName, form)
    if (tab === 'PartiQL') return partiqlRequest(statement.text, statement.parameters, query.limit)
    return buildRequest(query, keyParts(table, query.index))
  }, [tab, form, statement, query, table])

  const runNow = () => {
    try {
      setWrong(undefined)
      void reader.run(request(), tab === 'PartiQL' ? 1 : query.limit)
    } catch (error) {
      setWrong(error as Error)
    }
  }
  useEffect(runNow, [table.TableName])
  useRefresh(concernsTable(table.TableName, 'items'), items.busy, () => {
    const last = items.found
    if (last && (last.request.operation !== 'ExecuteStatement' || isSelect(last.request))) void reader.run(last.request, last.items.length || 1)
  })

  const chooseTab = (next: typeof tab) => {
    if (next === 'Expressions' && !form) setForm(fromBuilder(query, table))
    setTab(next)
  }
  const buttons = (
    <>
      <Button kind="primary" icon="play" onPress={runNow}>Run</Button>
      {items.busy && <Button onPress={() => reader.stop()}>Stop</Button>}
    </>
  )
  return (
    <>
      <section className="panel" aria-label="Request">
        <Tabs label="Kind of request" tabs={tabs} selected={tab} onSelect={chooseTab}>
          <div className="panel-body stack" onKeyDown={(e) => { if (e.key === 'Enter' && (e.target as HTMLElement).matches('input')) runNow() }}>
            {tab === 'Builder' && <Builder table={table} query={query} names={names} onChange={(c) => setQuery((q) => ({ ...q, ...c }))}>{buttons}</Builder>}
            {tab === 'Expressions' && form && <Expressions table={table} form={form} names={names} onChange={setForm} onRun={runNow} />}
            {tab === 'PartiQL' && <PartiQL statement={statement} state={items} onChange={setStatement} onRun={runNow} tables={[table.TableName]} names={names} />}
            {tab !== 'Builder' && <div className="row">{buttons}</div>}
            <ErrorMessage error={wrong ?? items.error} />
          </div>
        </Tabs>
      </section>
      <Results table={table} state={items} onMore={() => reader.more(query.limit)} onOpen={(item) => setEditing({ item })} onReload={runNow}
        onNew={() => setEditing({})} />
      {editing && (
        <ItemEditor key={JSON.stringify(editing)} table={table} onClose={() => setEditing(undefined)}
          onDuplicate={(item) => setEditing({ item, copy: true })} {...editing} />
      )}
    </>
  )
}

function firstQuery(table: Table): ItemQuery {
  return {
    table: table.TableName, index: '', mode: 'Scan', partition: keyParts(table).slice(0, 1).map(emptyOperand), sort: [],
    filters: [], match: 'all', projection: '', forward: true, consistent: false, limit: 100,
  }
}

/** fromBuilder begins the expressions with what the builder says, as far as it is complete. */
function fromBuilder(query: ItemQuery, table: Table): ExpressionForm {
  try {
    return { ...fieldsOf(buildRequest(query, keyParts(table, query.index)).input), operation: query.mode, index: query.index, forward: query.forward, limit: query.limit }
  } catch {
    return { ...fieldsOf({}), operation: query.mode, index: query.index, forward: query.forward, limit: query.limit }
  }
}

function fieldsOf(input: Record<string, unknown>) {
  const json = (value: unknown) => (value ? JSON.stringify(value, null, 2) : '')
  return {
    key: (input.KeyConditionExpression as string) ?? '', filter: (input.FilterExpression as string) ?? '',
    projection: (input.ProjectionExpression as string) ?? '', names: json(input.ExpressionAttributeNames),
    values: json(input.ExpressionAttributeValues),
  }
}

/** isSelect reports whether a statement only reads, so that it may run again by itself. */
function isSelect(request: Request): boolean {
  return /^\s*select\b/i.test(String(request.input.Statement))
}
