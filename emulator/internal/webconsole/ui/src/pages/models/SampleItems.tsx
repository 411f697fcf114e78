import { useState } from 'react'
import { cellText, cellValue } from '../../model/cells'
import { attributesOf, type Edit, type ErrorAt } from '../../model/edit'
import type { ModelTable } from '../../model/model'
import { attribute, typeNames, typeOf, type AttributeType, type AttributeValue } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import { TextField } from '../../widgets/Field'

/** The most sample items that have cells; the others are edited as JSON. */
const mostItems = 50

/** SampleItems edits the sample items of a table in a grid. Paths of its edit are in TableData, those of its errors in the table. */
export function SampleItems({ table, edit, error }: { table: ModelTable; edit: Edit; error: ErrorAt }) {
  const columns = attributesOf(table)
  const items = table.TableData.slice(0, mostItems)
  const change = (i: number, name: string, value: AttributeValue | undefined) => (value ? edit.put([i, name], value) : edit.remove([i, name]))
  return (
    <section className="stack tight" aria-label="Sample items">
      <h3>Sample items</h3>
      {items.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label={`Sample items of ${table.TableName}`}>
          <table className="table cells">
            <thead>
              <tr>
                {columns.map((a) => <th key={a.AttributeName} scope="col"><bdi>{a.AttributeName}</bdi> <span className="muted">{typeNames[a.AttributeType]}</span></th>)}
                <th scope="col"><span className="visually-hidden">Actions</span></th>
              </tr>
            </thead>
            <tbody>
              {items.map((item, i) => (
                <tr key={i}>
                  {columns.map((a) => (
                    <td key={a.AttributeName}>
                      <Cell label={`${a.AttributeName} of item ${i + 1}`} value={attribute(item, a.AttributeName)} type={a.AttributeType}
                        error={error('TableData', i, a.AttributeName)} onChange={(value) => change(i, a.AttributeName, value)} />
                    </td>
                  ))}
                  <td className="actions"><Button kind="quiet" icon="trash" aria-label={`Remove item ${i + 1}`} onPress={() => edit.remove([i])} /></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {table.TableData.length > mostItems && <p className="hint">These are the first {mostItems} of {table.TableData.length.toLocaleString('en-US')}. Edit the others as JSON.</p>}
      <div><Button small icon="plus" onPress={() => edit.put([table.TableData.length], {})}>Item</Button></div>
    </section>
  )
}

/** Cell edits a value. Text that is no value of its type is kept in the cell only, with the reason. */
function Cell({ label, value, type, error, onChange }: {
  label: string; value: AttributeValue | undefined; type: AttributeType; error: string; onChange: (value: AttributeValue | undefined) => void
}) {
  const shown = value ? cellText(value) : ''
  const [typed, setTyped] = useState({ text: '', of: shown, reason: '' })
  const isTyped = typed.of === shown && typed.reason !== ''
  const change = (text: string) => {
    try {
      onChange(text === '' ? undefined : cellValue(value ? typeOf(value) : type, text))
      setTyped({ text: '', of: shown, reason: '' })
    } catch (e) {
      setTyped({ text, of: shown, reason: (e as Error).message })
    }
  }
  return <TextField mono hideLabel label={label} value={isTyped ? typed.text : shown} error={isTyped ? typed.reason : error} onChange={change} />
}
