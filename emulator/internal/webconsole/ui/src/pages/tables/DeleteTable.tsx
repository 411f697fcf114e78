import { call } from '../../api/dynamodb'
import { useAttempt } from '../../api/useAttempt'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

/** DeleteTable asks before it deletes a table with all its items. */
export function DeleteTable({ name, onClose, onDeleted }: { name: string; onClose: () => void; onDeleted?: () => void }) {
  const { attempt, error, busy } = useAttempt(() => {
    onClose()
    onDeleted?.()
  })
  const run = () => attempt(async () => {
    await call('DeleteTable', { TableName: name })
    toast(`Table ${name} is deleted`)
  })
  return (
    <Dialog role="alertdialog" title="Delete table" onClose={onClose} footer={<>
      <Button onPress={onClose} autoFocus>Cancel</Button>
      <Button kind="danger primary" onPress={run} isDisabled={busy}>Delete table</Button>
    </>}>
      <p>Table <strong className="break">{name}</strong> and all its items and indexes are deleted. This cannot be undone.</p>
      <ErrorMessage error={error} />
    </Dialog>
  )
}
