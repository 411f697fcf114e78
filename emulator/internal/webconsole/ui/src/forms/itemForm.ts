/** The form of one operation on one item, and the request that it stands for. */
import { attribute, record, typeOf, type AttributeValue, type Item } from '../values/attribute'
import { conditionExpression, operandValue, projectionExpression, type Filter, type KeyPart } from '../values/filter'
import { invalidIn } from '../values/invalid'
import { Placeholders } from '../values/placeholders'
import { keyParts, type Table } from '../values/table'
import { updateExpression, type Action } from './update'

/** The kinds of operations, as a transaction names them. */
export type ItemKind = 'Get' | 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** ItemForm has the fields of every kind, so that what was typed stays when the kind changes. */
export interface ItemForm {
  id: number
  kind: ItemKind
  /** '' is the table that the page has chosen. */
  table: string
  /** What was typed for attributes of the key, by name. */
  key: Record<string, string>
  item: Item
  actions: Action[]
  conditions: Filter[]
  match: 'all' | 'any'
  projection: string
  consistent: boolean
  /** ReturnValues; '' is the default, NONE. */
  returnValues: '' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'
  /** An error about the condition has the item that did not meet it. */
  returnOnFailure: boolean
}

export function newItemForm(id: number, kind: ItemKind = 'Put'): ItemForm {
  return {
    id, kind, table: '', key: record(), item: record(), actions: [], conditions: [], match: 'all', projection: '', consistent: false,
    returnValues: '', returnOnFailure: false,
  }
}

const samples = { S: 'value', N: '1', B: 'AAE=' }

/** keyText is what was typed for an attribute of the key, or a sample. */
export function keyText(form: ItemForm, part: KeyPart): string {
  return Object.hasOwn(form.key, part.name) ? form.key[part.name]! : samples[part.type]
}

/** itemOf is the item to put: what the form has, with samples for attributes of the key that are missing or of another type. */
export function itemOf(form: ItemForm, table: Table): Item {
  const missing = keyParts(table).filter((part) => {
    const value = attribute(form.item, part.name)
    return !value || typeOf(value) !== part.type
  })
  return record([...missing.map((part) => [part.name, { [part.type]: samples[part.type] } as AttributeValue] as const),
    ...Object.entries(form.item).filter(([name]) => missing.every((part) => part.name !== name))])
}

/** keyInput is the key that was typed. Errors: Error with the attribute and the reason. */
export function keyInput(form: ItemForm, table: Table): Item {
  return record(keyParts(table).map((part) => {
    try {
      return [part.name, operandValue({ type: part.type, text: keyText(form, part) })] as const
    } catch (error) {
      throw new Error(`${part.name}: ${(error as Error).message}`)
    }
  }))
}

/** putItem is the item to put. Errors: Error with the attribute and the reason. */
export function putItem(form: ItemForm, table: Table): Item {
  const item = itemOf(form, table)
  const reason = invalidIn(item)
  if (reason) throw new Error(reason)
  return item
}

/** itemInput is the operation as a transaction has it, under its kind. Errors: Error with the reason. */
export function itemInput(form: ItemForm, table: Table): Record<string, unknown> {
  const p = new Placeholders()
  const target = { TableName: table.TableName, ...(form.kind === 'Put' ? { Item: putItem(form, table) } : { Key: keyInput(form, table) }) }
  const expressions = form.kind === 'Get' ? { ProjectionExpression: projectionExpression(form.projection, p) } : {
    UpdateExpression: form.kind === 'Update' ? updateExpression(form.actions, p) : '',
    ConditionExpression: conditionExpression(form.conditions, form.match, p),
  }
  if (form.kind === 'ConditionCheck' && !expressions.ConditionExpression) throw new Error('A condition check needs a condition')
  return {
    ...target, ...Object.fromEntries(Object.entries(expressions).filter(([, text]) => text)), ...p.fields(),
    ...(form.kind !== 'Get' && form.returnOnFailure && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
  }
}

/** summary is the key that a form has, on one line. */
export function summary(form: ItemForm, table: Table): string {
  const item = itemOf(form, table)
  const text = (part: KeyPart) => (form.kind === 'Put' ? String(Object.values(item[part.name]!)[0]) : keyText(form, part))
  return keyParts(table).map(text).join(' / ')
}
