import { useState } from 'react'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { BulkErrors, runAll, type Failure } from './bulk'
import { offerUndo } from './writes'

/** Undo writes an item again that was deleted. */
export type Undo = () => Promise<unknown>

interface Props<T> {
  /** The table or container of the items. */
  from: string
  items: T[]
  /** The names of the keys, and their texts for an item. */
  keys: string[]
  keyOf: (item: T) => string[]
  /** Deletes an item that is still as it is when it begins; undefined: there was none. */
  remove: (item: T) => Promise<Undo | undefined>
  onClose: () => void
  onDone: () => void
}

/** BulkDelete shows the items that it will delete, deletes them, and offers to take that back. */
export function BulkDelete<T>({ from, items, keys, keyOf, remove, onClose, onDone }: Props<T>) {
  const [failures, setFailures] = useState<Failure<T>[]>([])
  const [done, setDone] = useState(0)
  const [busy, setBusy] = useState(false)
  const count = items.length === 1 ? '1 item' : `${items.length} items`

  const run = async () => {
    setBusy(true)
    const undos: Undo[] = []
    const failed = await runAll(items, async (item) => {
      const undo = await remove(item)
      if (undo) setDone(undos.push(undo))
    })
    if (undos.length > 0) {
      offerUndo(undos.length === 1 ? '1 item is deleted' : `${undos.length} items are deleted`, async () => {
        const [first] = await runAll(undos, (undo) => undo())
        if (first) throw first.error
      })
    }
    if (failed.length === 0) return onDone()
    setFailures(failed)
    setBusy(false)
  }
  return (
    <Dialog role="alertdialog" place="wide" title={`Delete ${count}`} onClose={busy ? () => undefined : failures.length > 0 ? onDone : onClose} footer={<>
      <Button onPress={failures.length > 0 ? onDone : onClose} isDisabled={busy} autoFocus>{failures.length > 0 ? 'Close' : 'Cancel'}</Button>
      {failures.length === 0 && <Button kind="danger primary" onPress={run} isDisabled={busy}>{busy ? `${done} of ${items.length}` : `Delete ${count}`}</Button>}
    </>}>
      <p>These items of <strong className="break"><bdi>{from}</bdi></strong> are deleted:</p>
      <div className="table-wrap panel" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="Items to delete">
        <table className="table grid">
          <thead><tr>{keys.map((k) => <th key={k} scope="col"><bdi>{k}</bdi></th>)}</tr></thead>
          <tbody>{items.map((item, row) => <tr key={row}>{keyOf(item).map((text, i) => <td key={i}><bdi>{text}</bdi></td>)}</tr>)}</tbody>
        </table>
      </div>
      <BulkErrors failures={failures} keyOf={keyOf} />
    </Dialog>
  )
}
