import { useState } from 'react'
import { startSpecs, type SpecsRequest, type SpecsRun } from '../../api/specs'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'

/** RunButton runs scenarios on an emulator of their own. */
export function RunButton({ request, label, of, primary, small, busy, onStart }: {
  request: SpecsRequest; label: string
  /** What it runs, if its label does not say so. */
  of?: string
  primary?: boolean; small?: boolean; busy: boolean; onStart: (run: SpecsRun) => void
}) {
  const [error, setError] = useState<Error>()
  const start = () => {
    setError(undefined)
    void startSpecs(request).then(onStart, setError)
  }
  return (
    <>
      <Button {...(primary && { kind: 'primary' as const })} {...(small && { small })} {...(of && { 'aria-label': `${label}: ${of}` })} icon="play" isDisabled={busy} onPress={start}>{label}</Button>
      <ErrorMessage error={error} />
    </>
  )
}
