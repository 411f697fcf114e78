import { useMemo } from 'react'
import type { ItemsState } from '../../queries/itemsReader'
import type { AttributeValue } from '../../values/attribute'
import { parseDynamoJson } from '../../values/dynamoJson'
import type { Request } from '../../values/filter'
import { parse } from '../../values/losslessJson'
import { partiqlMarks } from '../../values/marks'
import { readNative } from '../../values/nativeJson'
import { CodeEditor } from '../../widgets/CodeEditor'
import { checkWith, jsonLanguage, partiqlLanguage } from '../../widgets/languages'

export interface Statement { text: string; parameters: string }

/** partiqlRequest makes the request. Errors: JSONError if the parameters are not an array of values. */
export function partiqlRequest(text: string, parameters: string, limit?: number): Request {
  const values = parameters.trim() ? readParameters(parameters) : []
  return {
    operation: 'ExecuteStatement',
    input: {
      Statement: text, ...(values.length > 0 && { Parameters: values }),
      ...(limit && /^\s*select\b/i.test(text) && { Limit: limit }), ReturnConsumedCapacity: 'TOTAL',
    },
  }
}

/** readParameters reads an array of DynamoDB JSON values, or of plain ones. */
function readParameters(text: string): AttributeValue[] {
  const node = parse(text)
  if (node.kind !== 'array') throw new Error('Parameters are an array: ["text", 12, {"S": "text"}]')
  return node.items.map((item) => {
    try {
      return parseDynamoJson(`{"v":${text.slice(item.from, item.to)}}`)['v']!
    } catch {
      return readNative(item)
    }
  })
}

const checkParameters = checkWith((text) => text.trim() && readParameters(text))

/** PartiQL takes a statement and its parameters. */
export function PartiQL({ statement, state, onChange, onRun, tables, names }: {
  statement: Statement; state: ItemsState; onChange: (statement: Statement) => void; onRun: () => void; tables: string[]; names: string[]
}) {
  const { failed, error } = state
  const marks = useMemo(() => (error && failed ? partiqlMarks(String(failed.input.Statement), error.message) : undefined), [failed, error])
  const language = useMemo(() => partiqlLanguage(tables, names), [tables, names])
  return (
    <>
      <CodeEditor label="PartiQL statement" value={statement.text} marks={marks} language={language} onRun={onRun}
        onChange={(text) => onChange({ ...statement, text })} size="short" />
      <div className="field">
        <span className="label">Parameters, one for each question mark</span>
        <CodeEditor label="Parameters" value={statement.parameters} language={jsonLanguage} onRun={onRun} check={checkParameters}
          placeholder='["text", 12, {"SS": ["a"]}]' onChange={(parameters) => onChange({ ...statement, parameters })} size="short" />
      </div>
    </>
  )
}
