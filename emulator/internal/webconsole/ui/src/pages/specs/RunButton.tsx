import { useState } from 'react'
import { startSpecs, type SpecsRun } from '../../api/specs'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'

/** RunButton runs scenarios on an emulator of their own. */
export function RunButton({ id, label, primary, busy, onStart }: {
  id: string; label: string; primary?: boolean; busy: boolean; onStart: (run: SpecsRun) => void
}) {
  const [error, setError] = useState<Error>()
  const start = () => {
    setError(undefined)
    void startSpecs({ id }).then(onStart, setError)
  }
  return (
    <>
      <Button {...(primary && { kind: 'primary' as const })} icon="play" isDisabled={busy} onPress={start}>{label}</Button>
      <ErrorMessage error={error} />
    </>
  )
}
