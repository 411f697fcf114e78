import { useState } from 'react'
import type { Item } from '../../values/attribute'
import { display } from '../../values/attribute'
import { keyNames, keyId, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { BulkErrors, runAll, type Failure } from './bulk'
import { offerUndo, put, readItem, remove } from './writes'

/** BulkDelete shows the items that it will delete, and deletes those that are still as they are when it begins. */
export function BulkDelete({ table, items, onClose, onDone }: { table: Table; items: Item[]; onClose: () => void; onDone: () => void }) {
  const [failures, setFailures] = useState<Failure[]>([])
  const [done, setDone] = useState(0)
  const [busy, setBusy] = useState(false)
  const keys = keyNames(table.KeySchema)

  const run = async () => {
    setBusy(true)
    const deleted: Item[] = []
    const failed = await runAll(items, async (item) => {
      const whole = await readItem(table, item)
      if (!whole) return
      await remove(table, whole)
      deleted.push(whole)
      setDone(deleted.length)
    })
    if (deleted.length > 0) {
      offerUndo(`${deleted.length} items are deleted`, async () => {
        const [first] = await runAll(deleted, (item) => put(table, undefined, item))
        if (first) throw first.error
      })
    }
    if (failed.length === 0) return onDone()
    setFailures(failed)
    setBusy(false)
  }
  return (
    <Dialog role="alertdialog" place="wide" title={`Delete ${items.length} items`} onClose={busy ? () => undefined : onClose} footer={<>
      <Button onPress={failures.length > 0 ? onDone : onClose} isDisabled={busy} autoFocus>{failures.length > 0 ? 'Close' : 'Cancel'}</Button>
      {failures.length === 0 && <Button kind="danger primary" onPress={run} isDisabled={busy}>{busy ? `${done} of ${items.length}` : `Delete ${items.length} items`}</Button>}
    </>}>
      <p>These items of <strong className="break">{table.TableName}</strong> are deleted:</p>
      <div className="table-wrap panel" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="Items to delete">
        <table className="table grid">
          <thead><tr>{keys.map((k) => <th key={k} scope="col">{k}</th>)}</tr></thead>
          <tbody>{items.map((i) => <tr key={keyId(table, i)}>{keys.map((k) => <td key={k}><bdi>{i[k] && display(i[k])}</bdi></td>)}</tr>)}</tbody>
        </table>
      </div>
      <BulkErrors failures={failures} table={table} />
    </Dialog>
  )
}
