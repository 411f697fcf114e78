import { filterOperators, keyOperators, operandCount, sizeOperators, type Filter, type ItemQuery, type KeyOperator, type KeyPart, type Operand, type SortCondition } from '../../values/filter'
import { indexes, isLocal, keyParts, type Table } from '../../values/table'
import { attributeTypes, typeNames } from '../../values/attribute'
import { Button } from '../../widgets/Button'
import { Check, Segments, Select, TextField } from '../../widgets/Field'

interface Props {
  table: Table
  query: ItemQuery
  onChange: (change: Partial<ItemQuery>) => void
  /** Names for completion, from the items that are shown. */
  names: string[]
  /** The buttons beside that for a new filter. */
  children: React.ReactNode
}

/** Builder makes a Query or Scan without expressions. */
export function Builder({ table, query, onChange, names, children }: Props) {
  const keys = keyParts(table, query.index)
  const canBeConsistent = !query.index || isLocal(table, query.index)
  const chooseIndex = (index: string) => onChange({
    index, sort: [], partition: keyParts(table, index).filter((k) => !k.isSortKey).map(emptyOperand),
    ...(!(index === '' || isLocal(table, index)) && { consistent: false }),
  })
  return (
    <div className="builder">
      <datalist id="attribute-names">{names.map((n) => <option key={n} value={n} />)}</datalist>
      <div className="builder-row">
        <Segments label="Operation" value={query.mode} onChange={(mode) => onChange({ mode })} options={[
          { value: 'Scan', label: 'Scan' }, { value: 'Query', label: 'Query' },
        ]} />
        <Select label="Table or index" hideLabel value={query.index} onChange={chooseIndex} options={[
          { value: '', label: 'Table' }, ...indexes(table).map((i) => ({ value: i.IndexName, label: i.IndexName })),
        ]} />
        {query.mode === 'Query' && (
          <Segments label="Direction" value={query.forward ? 'up' : 'down'} onChange={(d) => onChange({ forward: d === 'up' })} options={[
            { value: 'up', label: 'Ascending' }, { value: 'down', label: 'Descending' },
          ]} />
        )}
        <Check checked={query.consistent} disabled={!canBeConsistent} onChange={(consistent) => onChange({ consistent })}>Strongly consistent</Check>
        <span className="grow" />
        <TextField className="path" label="Attributes to return" hideLabel placeholder="All attributes" list="attribute-names" value={query.projection}
          onChange={(projection) => onChange({ projection })} mono />
        <Select label="Items read per page" hideLabel value={String(query.limit)} onChange={(n) => onChange({ limit: Number(n) })}
          options={['25', '50', '100', '200', '500', '1000'].map((value) => ({ value, label: `${value} per page` }))} />
      </div>
      {query.mode === 'Query' && <KeyConditions keys={keys} query={query} onChange={onChange} />}
      {query.filters.map((f) => (
        <FilterRow key={f.id} filter={f} onRemove={() => onChange({ filters: query.filters.filter((o) => o.id !== f.id) })}
          onChange={(change) => onChange({ filters: query.filters.map((o) => (o.id === f.id ? { ...o, ...change } : o)) })} />
      ))}
      <div className="row">
        {children}
        <Button icon="plus" onPress={() => onChange({ filters: [...query.filters, newFilter(query.filters)] })}>Filter</Button>
        {query.filters.length > 1 && (
          <Segments label="Items match" value={query.match} onChange={(match) => onChange({ match })} options={[
            { value: 'all', label: 'All filters' }, { value: 'any', label: 'Any filter' },
          ]} />
        )}
      </div>
    </div>
  )
}

export function emptyOperand(part?: KeyPart): Operand {
  return { type: part?.type ?? 'S', text: '' }
}

function newFilter(others: Filter[]): Filter {
  return {
    id: Math.max(0, ...others.map((f) => f.id)) + 1, path: '', operator: '=', operands: [emptyOperand()], sizeOperator: '=', attributeType: 'S',
  }
}

function KeyConditions({ keys, query, onChange }: { keys: KeyPart[]; query: ItemQuery; onChange: (change: Partial<ItemQuery>) => void }) {
  const setPartition = (i: number, key: KeyPart, text: string) =>
    onChange({ partition: Object.assign([...query.partition], { [i]: { type: key.type, text } }) })
  // An attribute of the sort key can have a condition if those before it are known.
  const sort = keys.filter((k) => k.isSortKey).filter((_, i) => query.sort.slice(0, i).length === i && query.sort.slice(0, i).every((s) => s.operator === '='))
  return (
    <div className="builder-row">
      {keys.filter((k) => !k.isSortKey).map((k, i) => (
        <TextField key={k.name} className="operand" label={`${k.name} (${k.type}) =`} value={query.partition[i]?.text ?? ''} mono
          onChange={(text) => setPartition(i, k, text)} />
      ))}
      {sort.map((k, i) => (
        <SortFields key={k.name} part={k} condition={query.sort[i]}
          onChange={(condition) => onChange({ sort: [...query.sort.slice(0, i), ...(condition ? [condition] : []), ...(condition?.operator === '=' ? query.sort.slice(i + 1) : [])] })} />
      ))}
    </div>
  )
}

/** SortFields are the condition on one attribute of the sort key; undefined means any value. */
function SortFields({ part, condition, onChange }: {
  part: KeyPart; condition: SortCondition | undefined; onChange: (condition: SortCondition | undefined) => void
}) {
  const choose = (operator: KeyOperator | '') => onChange(operator === '' ? undefined : {
    operator, operands: resize(condition?.operands ?? [], operator === 'between' ? 2 : 1, part),
  })
  const setOperand = (i: number, text: string) => condition && onChange({
    ...condition, operands: condition.operands.map((o, j) => (j === i ? { type: part.type, text } : o)),
  })
  return (
    <>
      <Select className="operator" label={`${part.name} (${part.type})`} value={condition?.operator ?? ''} options={[{ value: '', label: 'Any' }, ...keyOperators]}
        onChange={choose} />
      {condition?.operands.map((o, i) => (
        <TextField key={i} className="operand" label={i === 0 ? `Value of ${part.name}` : `Upper value of ${part.name}`} value={o.text} mono
          onChange={(text) => setOperand(i, text)} />
      ))}
    </>
  )
}

function resize(operands: Operand[], count: number, part?: KeyPart): Operand[] {
  return Array.from({ length: count }, (_, i) => operands[i] ?? (operands[0] ? { ...operands[0], text: '' } : emptyOperand(part)))
}

function FilterRow({ filter, onChange, onRemove }: { filter: Filter; onChange: (change: Partial<Filter>) => void; onRemove: () => void }) {
  const setOperand = (i: number, change: Partial<Operand>) =>
    onChange({ operands: filter.operands.map((o, j) => (j === i ? { ...o, ...change } : o)) })
  return (
    <fieldset className="builder-row">
      <legend className="visually-hidden">Filter {filter.path}</legend>
      <TextField className="path" label="Attribute" list="attribute-names" placeholder="address.city" value={filter.path} onChange={(path) => onChange({ path })} mono />
      <Select className="operator" label="Operator" value={filter.operator} options={filterOperators}
        onChange={(operator) => onChange({ operator, operands: resize(filter.operands, operandCount(operator)) })} />
      {filter.operator === 'attribute_type' && (
        <Select label="Type" value={filter.attributeType} options={attributeTypes.map((t) => ({ value: t, label: typeNames[t] }))}
          onChange={(attributeType) => onChange({ attributeType })} />
      )}
      {filter.operator === 'size' && (
        <Select label="Size" value={filter.sizeOperator} options={sizeOperators} onChange={(sizeOperator) => onChange({ sizeOperator })} />
      )}
      {filter.operands.map((o, i) => (
        <OperandField key={i} operand={o} onlyNumber={filter.operator === 'size'} onChange={(change) => setOperand(i, change)} />
      ))}
      {filter.operator === 'in' && (
        <Button small icon="plus" aria-label="Add a value" onPress={() => onChange({ operands: resize(filter.operands, filter.operands.length + 1) })} />
      )}
      <Button kind="quiet" icon="close" aria-label="Remove this filter" onPress={onRemove} />
    </fieldset>
  )
}

const operandTypes = [
  { value: 'S', label: 'String' }, { value: 'N', label: 'Number' }, { value: 'BOOL', label: 'Boolean' },
  { value: 'NULL', label: 'Null' }, { value: 'B', label: 'Binary' }, { value: 'JSON', label: 'JSON' },
] as const

function OperandField({ operand, onlyNumber, onChange }: { operand: Operand; onlyNumber: boolean; onChange: (change: Partial<Operand>) => void }) {
  return (
    <div className="operands">
      {!onlyNumber && (
        <Select label="Type of the value" hideLabel value={operand.type} options={operandTypes}
          onChange={(type) => onChange({ type, ...(type === 'BOOL' && { text: 'true' }) })} />
      )}
      {operand.type === 'BOOL' && !onlyNumber ? (
        <Select className="grow" label="Value" value={operand.text} options={['true', 'false']} onChange={(text) => onChange({ text })} />
      ) : operand.type !== 'NULL' && (
        <TextField className="grow" label="Value" value={operand.text} mono onChange={(text) => onChange({ text })} />
      )}
    </div>
  )
}
