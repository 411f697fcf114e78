import { useAttempt } from '../../api/useAttempt'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

interface Props {
  title: string
  /** The name of the button that sends the change. */
  action: string
  /** What is said when the change is accepted. */
  done: string
  run: () => Promise<unknown>
  onClose: () => void
  children: React.ReactNode
  /** There is nothing to send yet. */
  disabled?: boolean
  /** The change loses something: the dialog asks, and its button is red. */
  danger?: boolean
}

/** ChangeDialog sends a change of a table. What the service refuses is shown in it, and it stays open. */
export function ChangeDialog({ title, action, done, run, onClose, children, disabled = false, danger = false }: Props) {
  const { attempt, error, busy } = useAttempt(onClose)
  const submit = () => attempt(async () => {
    await run()
    toast(done)
  })
  return (
    <Dialog title={title} role={danger ? 'alertdialog' : 'dialog'} onClose={onClose} onSubmit={submit} footer={<>
      <Button onPress={onClose} autoFocus={danger}>Cancel</Button>
      <Button type="submit" kind={danger ? 'danger primary' : 'primary'} isDisabled={busy || disabled}>{action}</Button>
    </>}>
      {children}
      <ErrorMessage error={error} />
    </Dialog>
  )
}
