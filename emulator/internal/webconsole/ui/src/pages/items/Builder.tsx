import { emptyOperand, keyOperators, resize, type ItemQuery, type KeyOperator, type KeyPart, type SortCondition } from '../../values/filter'
import { indexes, isLocal, keyParts, type Table } from '../../values/table'
import { Conditions } from '../../widgets/Conditions'
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
      <Conditions noun="filter" conditions={query.filters} match={query.match} onChange={(filters) => onChange({ filters })}
        onMatch={(match) => onChange({ match })}>{children}</Conditions>
    </div>
  )
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
