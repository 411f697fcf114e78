import { useState } from 'react'
import { execute, type Execution } from '../../api/scripts'
import { Button } from '../../widgets/Button'
import { Code } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'

interface Props { database: string; container: string; id: string; onClose: () => void }

/** RunProcedure runs a stored procedure on one logical partition, and shows its response and what it logged. */
export function RunProcedure({ database, container, id, onClose }: Props) {
  const [key, setKey] = useState('')
  const [parameters, setParameters] = useState('[]')
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<{ done?: Execution; error?: Error }>({})
  const run = () => {
    setBusy(true)
    execute(database, container, id, key, parameters)
      .then((done) => setOutcome({ done }), (error: Error) => setOutcome({ error }))
      .finally(() => setBusy(false))
  }
  const { done, error } = outcome
  return (
    <Dialog title={<>Run <bdi>{id}</bdi></>} place="side" onClose={onClose} onSubmit={run} footer={
      <Button type="submit" kind="primary" icon="play" isDisabled={busy || !key.trim()}>Run</Button>
    }>
      <TextField label="Partition key" value={key} onChange={setKey} mono placeholder='["customer-1"]' autoFocus />
      <TextField label="Parameters" value={parameters} onChange={setParameters} mono hint="A JSON array, one value for each parameter" />
      <ErrorMessage error={error} />
      {done && (
        <div className="stack" role="status">
          <p><strong>{done.charge.toLocaleString('en-US')}</strong> RU, {Math.max(1, Math.round(done.milliseconds))} ms</p>
          <h3>Response</h3>
          {done.result ? <Code label="Response" text={done.result} /> : <p className="muted">The procedure set no body.</p>}
          {done.log && <><h3>Log</h3><Code label="Log" text={done.log} /></>}
        </div>
      )}
    </Dialog>
  )
}
