import { useState } from 'react'
import { call } from '../../api/dynamodb'
import type { Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { toast } from '../../widgets/Toasts'

/** DeleteTables asks before it deletes several tables, one after the other. It leaves those with deletion protection, and lists those that the service refuses to delete. */
export function DeleteTables({ tables, onClose }: { tables: Table[]; onClose: () => void }) {
  const [left, setLeft] = useState(tables)
  const [errors, setErrors] = useState<ReadonlyMap<string, Error>>(new Map())
  const [busy, setBusy] = useState(false)
  const deletable = left.filter((t) => !t.DeletionProtectionEnabled)
  const run = async () => {
    setBusy(true)
    const refused = new Map<string, Error>()
    for (const { TableName } of deletable) {
      await call('DeleteTable', { TableName }).catch((error: Error) => refused.set(TableName, error))
    }
    setBusy(false)
    setErrors(refused)
    setLeft(left.filter((t) => t.DeletionProtectionEnabled || refused.has(t.TableName)))
    const count = deletable.length - refused.size
    if (count > 0) toast(count === 1 ? '1 table is deleted' : `${count} tables are deleted`)
    if (refused.size === 0) onClose()
  }
  return (
    <Dialog role="alertdialog" title="Delete tables" onClose={onClose} footer={<>
      <Button onPress={onClose} autoFocus>Cancel</Button>
      <Button kind="danger primary" onPress={() => void run()} isDisabled={busy || deletable.length === 0}>
        {deletable.length === 1 ? 'Delete 1 table' : `Delete ${deletable.length} tables`}
      </Button>
    </>}>
      <p>These tables and all their items and indexes are deleted. This cannot be undone.</p>
      <ul className="stack tight" aria-label="Tables to delete">
        {left.map((t) => <Line key={t.TableName} table={t} error={errors.get(t.TableName)} />)}
      </ul>
    </Dialog>
  )
}

function Line({ table, error }: { table: Table; error: Error | undefined }) {
  return (
    <li>
      <div className="row">
        <strong className="break"><bdi>{table.TableName}</bdi></strong>
        {table.DeletionProtectionEnabled ? <span className="badge warn">Not deleted: deletion protection is on</span>
          : <span className="muted">{table.ItemCount.toLocaleString('en-US')} {table.ItemCount === 1 ? 'item' : 'items'}</span>}
      </div>
      {error && <p className="error-text" role="alert">{error.message}</p>}
    </li>
  )
}
