import { useEffect, useState } from 'react'
import { useAttempt } from '../../api/useAttempt'
import { setLeaveGuard } from '../../app/router'
import { display, record, sameItem, type Item } from '../../values/attribute'
import { parseDynamoJson, printDynamoJson } from '../../values/dynamoJson'
import { parseNativeJson, printNativeJson } from '../../values/nativeJson'
import { bytes, itemSize } from '../../values/size'
import { sameKey } from '../../values/save'
import { keyNames, keyParts, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Dialog } from '../../widgets/Dialog'
import { Segments } from '../../widgets/Field'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { ConflictMessage } from './ConflictMessage'
import { Tree } from './Tree'
import { Conflict, offerUndo, overwrite, put, readItem, remove } from './writes'

type View = 'tree' | 'native' | 'dynamodb'

interface Props {
  table: Table
  /** The item to edit, or to copy; absent for an empty one. */
  item?: Item
  copy?: boolean
  onClose: () => void
  onDuplicate: (item: Item) => void
}

/** ItemEditor reads the item again, because a grid of an index or a projection may have only a part of it. */
export function ItemEditor({ table, item, copy, onClose, onDuplicate }: Props) {
  const [read, setRead] = useState<{ before: Item | undefined } | undefined>(item && !copy ? undefined : { before: undefined })
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (!item || copy) return
    readItem(table, item).then((now) => (now ? setRead({ before: now }) : setError(new Error('The item is gone'))), setError)
    // Once: if the item were read again, a save would not see what another client changed meanwhile.
  }, [])

  const [empty] = useState(() => template(table))
  const start = read?.before ?? (copy ? item : undefined) ?? empty
  const title = !item || copy ? 'New item' : keyNames(table.KeySchema).map((k) => display(item[k] ?? { S: '' }, 80)).join(' / ')
  return (
    <Editing table={table} before={read?.before} start={start} title={title} onClose={onClose} onDuplicate={onDuplicate}
      {...(!read && { instead: error ? <ErrorMessage error={error} /> : <Loading what="the item" /> })} />
  )
}

/** template is a new item: its keys, empty. */
function template(table: Table): Item {
  return record(keyParts(table).map((k) => [k.name, k.type === 'N' ? { N: '0' } : k.type === 'B' ? { B: '' } : { S: '' }] as const))
}

/** Editing is the dialog. It is the same one before the item is read, so that it keeps the focus and can give it back. */
function Editing({ table, before, start, title, onClose, onDuplicate, instead }: {
  table: Table; before: Item | undefined; start: Item; title: string; onClose: () => void; onDuplicate: (item: Item) => void
  /** What is shown until the item is read. */
  instead?: React.ReactNode
}) {
  const [view, setView] = useState<View>('tree')
  const [edited, setItem] = useState<Item>()
  const item = edited ?? start
  const [text, setText] = useState('')
  const [invalid, setInvalid] = useState('')
  const { attempt, error, busy } = useAttempt(onClose)
  const keys = keyNames(table.KeySchema)
  const changed = invalid !== '' || !before || !sameItem(before, item)
  const close = () => {
    if (!changed || sameItem(start, item) || confirm('Discard the changes to this item?')) onClose()
  }
  useEffect(() => {
    setLeaveGuard(() => !changed || sameItem(start, item) || confirm('Discard the changes to this item?'))
    return () => setLeaveGuard(undefined)
  }, [changed, start, item])

  const edit = (next: string) => {
    setText(next)
    try {
      setItem(view === 'native' ? parseNativeJson(next) : parseDynamoJson(next))
      setInvalid('')
    } catch (e) {
      setInvalid((e as Error).message)
    }
  }
  const show = (next: View) => {
    if (invalid) return
    setView(next)
    if (next !== 'tree') setText(next === 'native' ? printNativeJson(item) : printDynamoJson(item))
  }
  const save = () => attempt(() => saveItem(table, keys, before, item))
  const saveAnyway = () => attempt(() => overwrite(table, item))
  const erase = () => attempt(async () => {
    await remove(table, before!)
    offerUndo('The item is deleted', () => put(table, undefined, before!))
  })
  return (
    <Dialog title={<bdi>{title}</bdi>} place="side" onClose={close} footer={!instead && <>
      {before && <Button kind="danger" icon="trash" onPress={erase} isDisabled={busy}>Delete</Button>}
      {before && <Button icon="copy" onPress={() => onDuplicate(item)} isDisabled={busy || invalid !== ''}>Duplicate</Button>}
      <span className="grow" />
      <Button icon="undo" onPress={() => { setItem(undefined); setInvalid(''); setView('tree') }} isDisabled={busy || (sameItem(start, item) && !invalid)}>Reset</Button>
      <Button kind="primary" onPress={save} isDisabled={busy || !changed || invalid !== ''}>{before ? 'Save if unchanged' : 'Create'}</Button>
    </>}>
      {instead ?? <>
        <div className="row spread">
          <Segments label="View" value={view} onChange={show} options={[
            { value: 'tree', label: 'Tree' }, { value: 'native', label: 'JSON' }, { value: 'dynamodb', label: 'DynamoDB JSON' },
          ]} />
          <span className="muted small">{bytes(itemSize(item))} of 400 KB</span>
        </div>
        {view === 'tree' ? (
          <Tree item={item} keys={keys} onChange={setItem} onInvalid={setInvalid} />
        ) : (
          <CodeEditor key={view} label={view === 'native' ? 'Item as JSON' : 'Item as DynamoDB JSON'} value={text} onChange={edit} onRun={save} language={jsonLanguage}
            check={checkWith(view === 'native' ? parseNativeJson : parseDynamoJson)} lines size="tall" />
        )}
        {invalid && <p className="error-text" role="alert">{invalid}</p>}
        {before && !sameKey(keys, before, fullKey(keys, item, before)) && (
          <div className="message warning">The key is changed: saving creates another item and leaves this one as it is.</div>
        )}
        {error instanceof Conflict ? <ConflictMessage conflict={error} mine={item} onOverwrite={saveAnyway} /> : <ErrorMessage error={error} />}
      </>}
    </Dialog>
  )
}

/** fullKey is the key of an edited item, with the old value of a part that was removed. */
function fullKey(keys: string[], item: Item, before: Item): Item {
  return record(keys.map((k) => [k, item[k] ?? before[k]!] as const))
}

async function saveItem(table: Table, keys: string[], before: Item | undefined, item: Item) {
  const same = before && sameKey(keys, before, fullKey(keys, item, before)) ? before : undefined
  await put(table, same, item)
  offerUndo(same ? 'The item is saved' : 'The item is created', () => (same ? put(table, item, same) : remove(table, item)))
}
