import { operandTypes, type Operand } from '../values/filter'
import { typeNames } from '../values/attribute'
import { Select, TextArea, TextField } from './Field'

/** OperandField takes a value and, if there are several, its type. of says which value it is, for screen readers. */
export function OperandField({ operand, types = operandTypes, of = '', onChange }: {
  operand: Operand; types?: readonly Operand['type'][]; of?: string; onChange: (change: Partial<Operand>) => void
}) {
  const only = types.length === 1 ? types[0]! : undefined
  const type = only ?? operand.type
  const shared = { className: 'grow', label: 'Value', value: operand.text, ...(of && { 'aria-label': `Value ${of}` }) }
  return (
    <div className="operands">
      {!only && (
        <Select label={of ? `Type of the value ${of}` : 'Type of the value'} hideLabel value={type} onChange={(next) => onChange({ type: next, ...(next === 'BOOL' && { text: 'true' }) })}
          options={types.map((t) => ({ value: t, label: t === 'JSON' ? t : typeNames[t] }))} />
      )}
      <ValueField type={type} shared={shared} onChange={(text) => onChange({ text })} />
    </div>
  )
}

function ValueField({ type, shared, onChange }: {
  type: Operand['type']; shared: { className: string; label: string; value: string }; onChange: (text: string) => void
}) {
  switch (type) {
    case 'NULL': return null
    case 'BOOL': return <Select {...shared} options={['true', 'false']} onChange={onChange} />
    case 'SS': case 'NS': case 'BS': return <TextArea {...shared} placeholder="One member per line" rows={2} onChange={onChange} />
    default: return <TextField {...shared} mono onChange={onChange} />
  }
}
