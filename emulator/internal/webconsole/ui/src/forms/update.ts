/** The actions of an update, and the expression that they stand for. */
import { typeOf, type AttributeType } from '../values/attribute'
import { emptyOperand, operandTypes, operandValue, type Operand } from '../values/filter'
import { parsePath } from '../values/path'
import type { Placeholders } from '../values/placeholders'

interface Kind {
  label: string
  clause: 'SET' | 'REMOVE' | 'ADD' | 'DELETE'
  /** The types of values to choose from; none if the action has no value. */
  types: readonly Operand['type'][]
  /** The types that the service takes, and what to write instead of others. */
  takes?: { types: AttributeType[]; what: string }
  write: (path: string, value: string) => string
}

const sets = ['SS', 'NS', 'BS'] as const
const list = { types: ['L' as const], what: 'a list, such as ["tea"]' }

export const actionKinds = {
  set: { label: 'Set', clause: 'SET', types: operandTypes, write: (path, value) => `${path} = ${value}` },
  default: { label: 'Set if absent', clause: 'SET', types: operandTypes, write: (path, value) => `${path} = if_not_exists(${path}, ${value})` },
  increase: { label: 'Increase by', clause: 'SET', types: ['N'], write: (path, value) => `${path} = ${path} + ${value}` },
  decrease: { label: 'Decrease by', clause: 'SET', types: ['N'], write: (path, value) => `${path} = ${path} - ${value}` },
  append: { label: 'Append to list', clause: 'SET', types: ['JSON'], takes: list, write: (path, value) => `${path} = list_append(${path}, ${value})` },
  prepend: { label: 'Prepend to list', clause: 'SET', types: ['JSON'], takes: list, write: (path, value) => `${path} = list_append(${value}, ${path})` },
  remove: { label: 'Remove', clause: 'REMOVE', types: [], write: (path) => path },
  add: { label: 'Add to number or set', clause: 'ADD', types: ['N', ...sets], write: (path, value) => `${path} ${value}` },
  delete: { label: 'Delete from set', clause: 'DELETE', types: sets, write: (path, value) => `${path} ${value}` },
} satisfies Record<string, Kind>

export type ActionKind = keyof typeof actionKinds

export interface Action { id: number; kind: ActionKind; path: string; value: Operand }

export function newAction(others: Action[]): Action {
  return { id: Math.max(0, ...others.map((a) => a.id)) + 1, kind: 'set', path: '', value: emptyOperand() }
}

/** withKind changes the kind of an action, and the type of its value if the kind does not have it. */
export function withKind(action: Action, kind: ActionKind): Action {
  const { types }: Kind = actionKinds[kind]
  return { ...action, kind, value: types.length === 0 || types.includes(action.value.type) ? action.value : { ...action.value, type: types[0]! } }
}

/** updateExpression has one clause of each kind; actions without a path are left out. It is '' without any. Errors: Error with the reason. */
export function updateExpression(actions: Action[], p: Placeholders): string {
  const clauses = new Map<string, string[]>()
  for (const action of actions.filter((a) => a.path.trim() !== '')) {
    const { clause } = actionKinds[action.kind]
    clauses.set(clause, [...(clauses.get(clause) ?? []), actionText(action, p)])
  }
  return [...clauses].map(([clause, texts]) => `${clause} ${texts.join(', ')}`).join(' ')
}

function actionText(action: Action, p: Placeholders): string {
  const kind: Kind = actionKinds[action.kind]
  const path = p.path(parsePath(action.path))
  if (kind.types.length === 0) return kind.write(path, '')
  try {
    const value = operandValue(action.value)
    if (kind.takes && !kind.takes.types.includes(typeOf(value))) throw new Error(`${kind.label} takes ${kind.takes.what}`)
    return kind.write(path, p.value(value))
  } catch (error) {
    throw new Error(`${action.path}: ${(error as Error).message}`)
  }
}
