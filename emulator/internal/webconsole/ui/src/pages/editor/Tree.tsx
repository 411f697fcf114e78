import { useEffect, useRef, useState } from 'react'
import { attributeTypes, payload, record, typeNames, typeOf, type AttributeType, type AttributeValue, type Item } from '../../values/attribute'
import { invalidIn, valueError } from '../../values/invalid'
import { Button } from '../../widgets/Button'
import { Select, TextArea, TextField } from '../../widgets/Field'

interface Props {
  item: Item
  keys: string[]
  onChange: (item: Item) => void
  /** Called with why the tree cannot be saved, or ''. */
  onInvalid: (reason: string) => void
}

/** Tree edits an item attribute by attribute, each with its type. */
export function Tree({ item, keys, onChange, onInvalid }: Props) {
  const reason = invalidIn(item)
  const report = useRef(onInvalid)
  report.current = onInvalid
  useEffect(() => report.current(reason), [reason])
  return <div className="tree"><Attributes item={item} keys={keys} onChange={onChange} path="" /></div>
}

function Attributes({ item, keys, onChange, path }: { item: Item; keys: string[]; onChange: (item: Item) => void; path: string }) {
  const [adding, setAdding] = useState('')
  const names = Object.keys(item)
  const ordered = [...keys.filter((k) => names.includes(k)), ...names.filter((n) => !keys.includes(n))]
  const replace = (name: string, value: AttributeValue) => onChange(record(names.map((n) => [n, n === name ? value : item[n]!] as const)))
  const drop = (name: string) => onChange(record(names.filter((n) => n !== name).map((n) => [n, item[n]!] as const)))
  const add = () => {
    if (!adding || names.includes(adding)) return
    onChange(record([...names.map((n) => [n, item[n]!] as const), [adding, { S: '' }]]))
    setAdding('')
  }
  return (
    <>
      {ordered.map((name) => (
        <ValueRow key={name} name={name} label={path + name} isKey={keys.includes(name)} value={item[name]!}
          onChange={(v) => replace(name, v)} onRemove={() => drop(name)} />
      ))}
      <div className="tree-row">
        <TextField className="name" label={`New attribute${path && ` of ${path}`}`} hideLabel placeholder="New attribute" value={adding} onChange={setAdding} mono
          onKeyDown={(e) => e.key === 'Enter' && add()} {...(names.includes(adding) && { error: 'It is there already' })} />
        <Button small icon="plus" onPress={add} isDisabled={!adding || names.includes(adding)}>Add</Button>
      </div>
    </>
  )
}

function ValueRow({ name, label, isKey, value, onChange, onRemove }: {
  name: string; label: string; isKey?: boolean; value: AttributeValue; onChange: (value: AttributeValue) => void; onRemove: () => void
}) {
  const type = typeOf(value)
  const nested = type === 'M' || type === 'L'
  return (
    <div>
      <div className="tree-row">
        <span className="name mono break" style={{ paddingTop: 6 }}><bdi>{name}</bdi>{isKey && <span className="key-mark"> key</span>}</span>
        <Select className="type" label={`Type of ${label}`} hideLabel value={type} disabled={isKey} onChange={(t) => onChange(convert(value, t))}
          options={attributeTypes.map((t) => ({ value: t, label: typeNames[t] }))} />
        <span className="value">{nested ? <Summary value={value} /> : <Leaf label={label} value={value} onChange={onChange} />}</span>
        {!isKey && <Button kind="quiet" icon="close" aria-label={`Remove ${label}`} onPress={onRemove} />}
      </div>
      {type === 'M' && (
        <ul><Attributes item={payload(value) as Item} keys={[]} onChange={(M) => onChange({ M })} path={`${label}.`} /></ul>
      )}
      {type === 'L' && <List values={payload(value) as AttributeValue[]} label={label} onChange={(L) => onChange({ L })} />}
    </div>
  )
}

function Summary({ value }: { value: AttributeValue }) {
  const count = Object.keys(payload(value) as object).length
  return <span className="muted small" style={{ lineHeight: '30px' }}>{count} {count === 1 ? 'element' : 'elements'}</span>
}

function List({ values, label, onChange }: { values: AttributeValue[]; label: string; onChange: (values: AttributeValue[]) => void }) {
  return (
    <ul>
      {values.map((v, i) => (
        <ValueRow key={i} name={String(i)} label={`${label}[${i}]`} value={v} onChange={(next) => onChange(values.map((o, j) => (j === i ? next : o)))}
          onRemove={() => onChange(values.filter((_, j) => j !== i))} />
      ))}
      <li><Button small icon="plus" onPress={() => onChange([...values, { S: '' }])}>Element</Button></li>
    </ul>
  )
}

function Leaf({ label, value, onChange }: { label: string; value: AttributeValue; onChange: (value: AttributeValue) => void }) {
  const type = typeOf(value)
  const error = valueError(value)
  const shared = { label: `Value of ${label}`, hideLabel: true, ...(error && { error }) }
  if (type === 'NULL') return <span className="muted" style={{ lineHeight: '30px' }}>null</span>
  if (type === 'BOOL') {
    return <Select {...shared} value={String(payload(value)) as 'true' | 'false'} options={['true', 'false']} onChange={(t) => onChange({ BOOL: t === 'true' })} />
  }
  if (type === 'SS' || type === 'NS' || type === 'BS') {
    const members = payload(value) as string[]
    return <SetField {...shared} members={members} onChange={(next) => onChange({ [type]: next } as AttributeValue)} />
  }
  const text = String(payload(value))
  return type === 'S' ? <TextArea {...shared} value={text} onChange={(S) => onChange({ S })} />
    : <TextField {...shared} value={text} mono onChange={(t) => onChange({ [type]: t } as AttributeValue)} />
}

function SetField({ members, onChange, label, error }: { members: string[]; onChange: (members: string[]) => void; label: string; error?: string }) {
  return (
    <div className="stack tight">
      {members.map((m, i) => (
        <div key={i} className="row" style={{ flexWrap: 'nowrap' }}>
          <TextField className="grow" label={`${label}, member ${i + 1}`} hideLabel value={m} mono onChange={(t) => onChange(members.map((o, j) => (j === i ? t : o)))} />
          <Button kind="quiet" icon="close" aria-label={`Remove member ${i + 1}`} onPress={() => onChange(members.filter((_, j) => j !== i))} />
        </div>
      ))}
      <div className="row"><Button small icon="plus" onPress={() => onChange([...members, ''])}>Member</Button>{error && <span className="error-text">{error}</span>}</div>
    </div>
  )
}

/** convert changes the type of a value and keeps its content as far as the new type can hold it. */
export function convert(value: AttributeValue, type: AttributeType): AttributeValue {
  const content = payload(value)
  const texts = Array.isArray(content) ? content.map((v) => (typeof v === 'string' ? v : String(payload(v as AttributeValue)))) : [leafText(content)]
  switch (type) {
    case 'S': case 'N': case 'B': return { [type]: texts[0] ?? '' } as AttributeValue
    case 'BOOL': return { BOOL: texts[0] === 'true' }
    case 'NULL': return { NULL: true }
    case 'SS': case 'NS': case 'BS': return { [type]: texts } as AttributeValue
    case 'L': return { L: typeOf(value) === 'M' ? Object.values(content as Item) : texts.map((S) => ({ S })) }
    case 'M': return { M: record() }
  }
}

function leafText(content: unknown): string {
  return typeof content === 'object' ? '' : String(content)
}
