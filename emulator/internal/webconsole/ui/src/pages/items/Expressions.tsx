import { useMemo } from 'react'
import { parseDynamoJson } from '../../values/dynamoJson'
import type { Request } from '../../values/filter'
import { member, parse } from '../../values/losslessJson'
import { indexes, type Table } from '../../values/table'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Segments, Select } from '../../widgets/Field'
import { checkWith, expressionLanguage, jsonLanguage } from '../../widgets/languages'

export interface ExpressionForm {
  operation: 'Query' | 'Scan'; index: string; forward: boolean; limit: number
  key: string; filter: string; projection: string; names: string; values: string
}

/** expressionInput makes the request. Errors: JSONError if the values are not DynamoDB JSON. */
export function expressionInput(table: string, form: ExpressionForm): Request {
  const input: Record<string, unknown> = { TableName: table }
  const add = (name: string, value: unknown) => value && (input[name] = value)
  add('IndexName', form.index)
  if (form.operation === 'Query') {
    add('KeyConditionExpression', form.key.trim())
    if (!form.forward) input.ScanIndexForward = false
  }
  add('FilterExpression', form.filter.trim())
  add('ProjectionExpression', form.projection.trim())
  add('ExpressionAttributeNames', form.names.trim() && readNames(form.names))
  add('ExpressionAttributeValues', form.values.trim() && parseDynamoJson(form.values))
  input.Limit = form.limit
  input.ReturnConsumedCapacity = 'TOTAL'
  return { operation: form.operation, input }
}

function readNames(text: string): Record<string, string> {
  const node = parse(text)
  if (node.kind !== 'object' || node.members.some((m) => m.value.kind !== 'string')) {
    throw new Error('Names are an object of texts: {"#name": "attribute"}')
  }
  return Object.fromEntries(node.members.map((m) => {
    const value = member(node, m.name)
    return [m.name, value?.kind === 'string' ? value.text : '']
  }))
}

const checkNames = checkWith((text) => text.trim() && readNames(text))
const checkValues = checkWith((text) => text.trim() && parseDynamoJson(text))

/** Expressions takes the expressions of a Query or Scan as the service reads them. */
export function Expressions({ table, form, names, onChange, onRun }: {
  table: Table; form: ExpressionForm; names: string[]; onChange: (form: ExpressionForm) => void; onRun: () => void
}) {
  const language = useMemo(() => expressionLanguage(names), [names])
  const set = (change: Partial<ExpressionForm>) => onChange({ ...form, ...change })
  const expression = (label: string, field: 'key' | 'filter' | 'projection', placeholder: string) => (
    <div className="field">
      <span className="label">{label}</span>
      <CodeEditor label={label} value={form[field]} onChange={(text) => set({ [field]: text })} onRun={onRun} language={language}
        placeholder={placeholder} size="short" />
    </div>
  )
  return (
    <>
      <div className="builder-row">
        <Segments label="Operation" value={form.operation} onChange={(operation) => set({ operation })} options={[
          { value: 'Scan', label: 'Scan' }, { value: 'Query', label: 'Query' },
        ]} />
        <Select label="Table or index" hideLabel value={form.index} onChange={(index) => set({ index })}
          options={[{ value: '', label: 'Table' }, ...indexes(table).map((i) => ({ value: i.IndexName, label: i.IndexName }))]} />
        {form.operation === 'Query' && (
          <Segments label="Direction" value={form.forward ? 'up' : 'down'} onChange={(d) => set({ forward: d === 'up' })} options={[
            { value: 'up', label: 'Ascending' }, { value: 'down', label: 'Descending' },
          ]} />
        )}
      </div>
      <div className="form-grid">
        {form.operation === 'Query' && expression('Key condition', 'key', '#pk = :pk AND begins_with(#sk, :prefix)')}
        {expression('Filter', 'filter', 'price > :price AND attribute_exists(discount)')}
        {expression('Projection', 'projection', 'id, price')}
      </div>
      <div className="form-grid">
        <div className="field"><span className="label">Names</span>
          <CodeEditor label="Names" value={form.names} onChange={(names) => set({ names })} onRun={onRun} language={jsonLanguage} check={checkNames}
            placeholder={'{"#pk": "id"}'} size="short" /></div>
        <div className="field"><span className="label">Values</span>
          <CodeEditor label="Values" value={form.values} onChange={(values) => set({ values })} onRun={onRun} language={jsonLanguage} check={checkValues}
            placeholder={'{":pk": {"S": "7"}}'} size="short" /></div>
      </div>
    </>
  )
}
