import { useState } from 'react'
import { startRun, type Run, type StartRun } from '../../api/load'
import { Button } from '../../widgets/Button'
import { ErrorMessage } from '../../widgets/Message'

/** RunAgain starts a run with the request of an earlier one. */
export function RunAgain({ request, onStart }: { request: StartRun; onStart: (run: Run) => void }) {
  const [error, setError] = useState<Error>()
  const start = () => {
    setError(undefined)
    void startRun(request).then(onStart, setError)
  }
  return <><Button icon="refresh" onPress={start}>Run again</Button><ErrorMessage error={error} /></>
}
