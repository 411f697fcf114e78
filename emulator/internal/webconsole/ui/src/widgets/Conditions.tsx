import { useState } from 'react'
import { attributeTypes, typeNames } from '../values/attribute'
import { emptyOperand, filterOperators, operandCount, operandTypes, resize, sizeOperators, type Filter, type Operand } from '../values/filter'
import { Button } from './Button'
import { Segments, Select, TextField } from './Field'
import { OperandField } from './OperandField'

interface Props {
  /** What a condition is called on the page. */
  noun: 'filter' | 'condition'
  conditions: Filter[]
  match: 'all' | 'any'
  onChange: (conditions: Filter[]) => void
  onMatch: (match: 'all' | 'any') => void
  /** The buttons beside that for a new condition. */
  children?: React.ReactNode
}

/**
 * Conditions are rows of attribute, operator and values, all or any of which an item must meet. Names are completed from
 * the page's datalist attribute-names.
 */
export function Conditions({ noun, conditions, match, onChange, onMatch, children }: Props) {
  const title = noun === 'filter' ? 'Filter' : 'Condition'
  const [added, setAdded] = useState<number>()
  const add = () => {
    const condition = newCondition(conditions)
    setAdded(condition.id)
    onChange([...conditions, condition])
  }
  const replace = (id: number, change: Partial<Filter>) => onChange(conditions.map((c) => (c.id === id ? { ...c, ...change } : c)))
  return (
    <>
      {conditions.map((c) => (
        <ConditionRow key={c.id} noun={noun} condition={c} isNew={c.id === added} onChange={(change) => replace(c.id, change)}
          onRemove={() => onChange(conditions.filter((o) => o.id !== c.id))} />
      ))}
      <div className="row">
        {children}
        <Button icon="plus" onPress={add}>{title}</Button>
        {conditions.length > 1 && (
          <Segments label="Items match" value={match} onChange={onMatch} options={[
            { value: 'all', label: `All ${noun}s` }, { value: 'any', label: `Any ${noun}` },
          ]} />
        )}
      </div>
    </>
  )
}

function newCondition(others: Filter[]): Filter {
  return {
    id: Math.max(0, ...others.map((f) => f.id)) + 1, path: '', operator: '=', operands: [emptyOperand()], sizeOperator: '=', attributeType: 'S',
  }
}

function ConditionRow({ noun, condition, isNew, onChange, onRemove }: {
  noun: string; condition: Filter; isNew: boolean; onChange: (change: Partial<Filter>) => void; onRemove: () => void
}) {
  const setOperand = (i: number, change: Partial<Operand>) =>
    onChange({ operands: condition.operands.map((o, j) => (j === i ? { ...o, ...change } : o)) })
  return (
    <fieldset className="builder-row">
      <legend className="visually-hidden">{noun} {condition.path}</legend>
      <TextField className="path" label="Attribute" list="attribute-names" placeholder="address.city" value={condition.path} onChange={(path) => onChange({ path })} mono
        autoFocus={isNew} />
      <Select className="operator" label="Operator" value={condition.operator} options={filterOperators}
        onChange={(operator) => onChange({ operator, operands: resize(condition.operands, operandCount(operator)) })} />
      {condition.operator === 'attribute_type' && (
        <Select label="Type" value={condition.attributeType} options={attributeTypes.map((t) => ({ value: t, label: typeNames[t] }))}
          onChange={(attributeType) => onChange({ attributeType })} />
      )}
      {condition.operator === 'size' && (
        <Select label="Size" value={condition.sizeOperator} options={sizeOperators} onChange={(sizeOperator) => onChange({ sizeOperator })} />
      )}
      {condition.operands.map((o, i) => (
        <OperandField key={i} operand={o} types={condition.operator === 'size' ? ['N'] : operandTypes} onChange={(change) => setOperand(i, change)} />
      ))}
      {condition.operator === 'in' && (
        <Button small icon="plus" aria-label="Add a value" onPress={() => onChange({ operands: resize(condition.operands, condition.operands.length + 1) })} />
      )}
      <Button kind="quiet" icon="close" aria-label={`Remove this ${noun}`} onPress={onRemove} />
    </fieldset>
  )
}
