/** Changes of a draft by its form. The text of the draft stays the truth: a change is one of its text. */
import { putValue, removeValue, type Path } from '../values/editJson'
import { record, type AttributeType } from '../values/attribute'
import type { Problem } from './check'
import { keyAttributes, modelTable, type Attribute, type ModelTable } from './model'

/** Edit changes the draft at a path. */
export interface Edit {
  put: (path: Path, value: unknown) => void
  remove: (path: Path) => void
}

/** editOf changes a text, which read returns and write replaces. */
export function editOf(read: () => string, write: (text: string) => void): Edit {
  return { put: (path, value) => write(putValue(read(), path, value)), remove: (path) => write(removeValue(read(), path)) }
}

/** within is an edit whose paths are in a part of the draft. */
export function within(edit: Edit, ...at: Path): Edit {
  return { put: (path, value) => edit.put([...at, ...path], value), remove: (path) => edit.remove([...at, ...path]) }
}

/** ErrorAt is what is wrong with the value at a path; '' if nothing. */
export type ErrorAt = (...path: Path) => string

export function errorAt(problems: Problem[], ...at: Path): ErrorAt {
  return (...path) => {
    const wanted = JSON.stringify([...at, ...path])
    return problems.filter((p) => JSON.stringify(p.path) === wanted).map((p) => p.text).join('; ')
  }
}

/** unused is a name with the lowest number that none of the others has: index, index-2. */
export function unused(name: string, others: string[]): string {
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name}-${n}`
    if (!others.includes(one)) return one
  }
}

/** newTable is a table to begin with. */
export function newTable(others: ModelTable[]): ModelTable {
  return modelTable(unused('new-table', others.map((t) => t.TableName)), { PartitionKey: { AttributeName: 'pk', AttributeType: 'S' } }, {})
}

/** attributesOf are the attributes of a table: those of its key, the others that it declares, and those that only items have. */
export function attributesOf(table: ModelTable): Attribute[] {
  const types = record<AttributeType>()
  for (const a of [...keyAttributes(table.KeyAttributes), ...table.NonKeyAttributes]) if (a.AttributeName) types[a.AttributeName] ??= a.AttributeType ?? 'S'
  for (const item of table.TableData) for (const [name, value] of Object.entries(item)) types[name] ??= Object.keys(value)[0] as AttributeType
  return Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }))
}

/** declare adds attributes that a table does not have yet to those that it declares. */
export function declare(table: ModelTable, edit: Edit, attributes: Attribute[]) {
  const known = [...keyAttributes(table.KeyAttributes), ...table.NonKeyAttributes].map((a) => a.AttributeName)
  const missing = attributes.filter((a) => a.AttributeName && !known.includes(a.AttributeName))
  missing.forEach((a, i) => edit.put(['NonKeyAttributes', table.NonKeyAttributes.length + i], a))
}
