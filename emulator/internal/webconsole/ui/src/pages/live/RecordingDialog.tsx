import { useState } from 'react'
import { recordedRequests, recording, requestsOf, startRecording, stopRecording, type Recording } from '../../api/recording'
import type { Seen } from '../../api/requests'
import { useAttempt } from '../../api/useAttempt'
import { usePolling } from '../../api/usePolling'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'

/** How long the emulator's recording is not read again, in milliseconds. */
const pause = 1000

/** RecordingDialog makes a recording the last run: the emulator's own, or a file. onUse may refuse its requests with an error. */
export function RecordingDialog({ onUse, onClose }: { onUse: (requests: Seen[]) => void; onClose: () => void }) {
  const { data, error: unknown, reload } = usePolling('recording', recording, pause)
  const { attempt, error, busy } = useAttempt(onClose)
  const [refused, setRefused] = useState<Error>()
  const change = (action: () => Promise<Recording>) => void action().then(() => {
    setRefused(undefined)
    reload()
  }, setRefused)
  const use = (read: () => Promise<Seen[]>) => void attempt(async () => onUse(await read()))
  return (
    <Dialog title="Last run from a recording" onClose={onClose}>
      <p>A recording has the requests to DynamoDB and Cosmos DB, and their responses. Those of the console itself are left out.</p>
      <h3>Recording of this emulator</h3>
      <p role="status">{data ? describe(data) : 'Loading…'}</p>
      <div className="row">
        {data?.on
          ? <Button icon="stop" onPress={() => change(stopRecording)}>Stop recording</Button>
          : <Button icon="live" isDisabled={!data} onPress={() => change(startRecording)}>{data?.started ? 'Record again' : 'Start recording'}</Button>}
        {data && !data.on && data.started && <Button kind="primary" isDisabled={busy || data.requests === 0} onPress={() => use(recordedRequests)}>Use as last run</Button>}
      </div>
      <h3>Recording in a file</h3>
      <TextField label="File" type="file" accept=".jsonl,application/jsonl" disabled={busy}
        hint="Written by tabletop emulator --record, or downloaded from an emulator"
        onInput={(e) => {
          const file = e.currentTarget.files?.[0]
          if (file) use(() => requestsOf(file))
          e.currentTarget.value = '' // so that the same file can be chosen again
        }} />
      {busy && <p className="muted small" role="status">Reading the recording…</p>}
      <ErrorMessage error={error ?? refused ?? unknown} />
    </Dialog>
  )
}

function describe({ on, started, requests, error }: Recording): string {
  if (!started) return 'None yet.'
  const count = `${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'}`
  if (error) return `${count}; it ended early: ${error}`
  return on ? `On: ${count} so far.` : `${count}, begun at ${started.slice(0, 19).replace('T', ' ')} UTC.`
}
