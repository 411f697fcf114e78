import { useAttempt } from '../../api/useAttempt'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'
import type { Source } from './source'

/** Disabled says that no earlier states are stored, and has them stored from now on, if that can be changed here. */
export function Disabled<T>({ source, error, onEnabled }: { source: Source<T>; error: Error; onEnabled: () => void }) {
  const { attempt, error: refused, busy } = useAttempt(onEnabled)
  const { enable } = source
  return (
    <div className="empty">
      <h2>Earlier states are not stored</h2>
      <p>{enable ? 'With point-in-time recovery, the table can be seen as it was at any second of up to 35 days.' : error.message}</p>
      {enable && <Button kind="primary" isDisabled={busy} onPress={() => attempt(enable)}>Enable point-in-time recovery</Button>}
      <ErrorMessage error={refused} />
    </div>
  )
}
