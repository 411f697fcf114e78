import { useMemo, useState } from 'react'
import { attribute, record, sameItem, type AttributeValue, type Item } from '../../values/attribute'
import { operandValue, type Operand } from '../../values/filter'
import { keyId, keyNames, keyTexts, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Segments, Select, TextField } from '../../widgets/Field'
import { BulkErrors, runAll, type Failure } from './bulk'
import { Differences } from './ConflictMessage'
import { offerUndo, put, readItem } from './writes'

const types = [
  { value: 'S', label: 'String' }, { value: 'N', label: 'Number' }, { value: 'BOOL', label: 'Boolean' }, { value: 'NULL', label: 'Null' },
  { value: 'B', label: 'Binary' }, { value: 'JSON', label: 'JSON' },
] as const

/** BulkEdit sets or removes one attribute of many items, after a preview of each change. */
export function BulkEdit({ table, items, onClose, onDone }: { table: Table; items: Item[]; onClose: () => void; onDone: () => void }) {
  const [action, setAction] = useState<'set' | 'remove'>('set')
  const [name, setName] = useState('')
  const [operand, setOperand] = useState<Operand>({ type: 'S', text: '' })
  const [failures, setFailures] = useState<Failure<Item>[]>([])
  const [busy, setBusy] = useState(false)
  const [value, wrong] = useMemo(() => valueOf(operand), [operand])
  const keys = keyNames(table.KeySchema)
  const isKey = keys.includes(name)
  const change = (item: Item) => (action === 'set' ? withAttribute(item, name, value!) : without(item, name))
  const ready = name !== '' && !isKey && (action === 'remove' || value !== undefined)
  const changed = ready ? items.filter((i) => !sameItem(i, change(i))) : []

  const run = async () => {
    setBusy(true)
    const done: { before: Item; after: Item }[] = []
    const failed = await runAll(changed, async (item) => {
      const before = await readItem(table, item)
      if (!before) throw new Error('The item is gone')
      const after = change(before)
      await put(table, before, after)
      done.push({ before, after })
    })
    if (done.length > 0) {
      offerUndo(`${done.length} items are changed`, async () => {
        const [first] = await runAll(done.map((d) => d.after), (after) => put(table, after, done.find((d) => d.after === after)!.before))
        if (first) throw first.error
      })
    }
    if (failed.length === 0) return onDone()
    setFailures(failed)
    setBusy(false)
  }
  return (
    <Dialog place="wide" title={`Edit ${items.length} items`} onClose={busy ? () => undefined : onClose} footer={<>
      <Button onPress={failures.length > 0 ? onDone : onClose} isDisabled={busy}>{failures.length > 0 ? 'Close' : 'Cancel'}</Button>
      {failures.length === 0 && <Button kind="primary" onPress={run} isDisabled={busy || changed.length === 0}>Change {changed.length} items</Button>}
    </>}>
      <div className="builder-row">
        <Segments label="Change" value={action} onChange={setAction} options={[{ value: 'set', label: 'Set' }, { value: 'remove', label: 'Remove' }]} />
        <TextField className="path" label="Attribute" list="attribute-names" value={name} onChange={setName} mono {...(isKey && { error: 'The key cannot change' })} />
        {action === 'set' && (
          <>
            <Select label="Type" value={operand.type} options={types} onChange={(type) => setOperand({ type, text: type === 'BOOL' ? 'true' : operand.text })} />
            {operand.type === 'BOOL'
              ? <Select label="Value" value={operand.text} options={['true', 'false']} onChange={(text) => setOperand({ ...operand, text })} />
              : operand.type !== 'NULL' && (
                <TextField className="operand" label="Value" value={operand.text} mono onChange={(text) => setOperand({ ...operand, text })}
                  {...(wrong && { error: wrong })} />
              )}
          </>
        )}
      </div>
      {ready && <p role="status">{changed.length === 0 ? 'No item changes.' : `${changed.length} of ${items.length} items change:`}</p>}
      {changed.length > 0 && (
        <div className="stack" style={{ maxHeight: '36vh', overflow: 'auto' }} tabIndex={0} role="region" aria-label="Preview">
          {changed.slice(0, 100).map((item) => (
            <div key={keyId(table, item)}>
              <code className="muted"><bdi>{keyTexts(keys, item).join(' / ')}</bdi></code>
              <Differences before={item} after={change(item)} />
            </div>
          ))}
          {changed.length > 100 && <p className="muted">And {changed.length - 100} more.</p>}
        </div>
      )}
      <BulkErrors failures={failures} keyOf={(item) => keyTexts(keys, item)} />
    </Dialog>
  )
}

function valueOf(operand: Operand): [AttributeValue | undefined, string] {
  try {
    return [operandValue(operand), '']
  } catch (error) {
    return [undefined, (error as Error).message]
  }
}

function withAttribute(item: Item, name: string, value: AttributeValue): Item {
  return record([...Object.keys(item).map((n) => [n, item[n]!] as const), [name, value]])
}

function without(item: Item, name: string): Item {
  return attribute(item, name) ? record(Object.keys(item).filter((n) => n !== name).map((n) => [n, item[n]!] as const)) : item
}
