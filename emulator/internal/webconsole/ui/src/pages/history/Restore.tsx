import { useEffect, useState } from 'react'
import type { Span } from '../../api/history'
import { useAttempt } from '../../api/useAttempt'
import { Link } from '../../app/router'
import { momentText } from '../../history/moment'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import type { Source } from './source'

/** How often the page asks whether the new table is ready, in milliseconds: nobody announces it. */
const pollInterval = 500

/** Restore makes a new table or container of an earlier state, and shows when it is ready. */
export function Restore<T>({ source, at, span, onClose }: { source: Source<T>; at: string | undefined; span: Span; onClose: () => void }) {
  const [name, setName] = useState(`${source.name}-restored`)
  const [target, setTarget] = useState('')
  const { attempt, error, busy } = useAttempt(() => setTarget(name))
  const moment = at && source.restorable(at)
  const hint = [source.restoreHint, span.restorable && `The last that can be restored now is ${momentText(span.restorable.latest)}.`].filter(Boolean).join(' ')
  if (target) return <Progress source={source} target={target} onClose={onClose} />
  return (
    <Dialog title={`Restore to a new ${source.kind}`} onClose={onClose} onSubmit={() => attempt(() => source.restore(moment, name))} footer={<>
      <Button onPress={onClose}>Cancel</Button>
      <Button type="submit" kind="primary" isDisabled={busy || !name}>Restore</Button>
    </>}>
      <p>
        The items of <strong className="break"><bdi>{source.name}</bdi></strong> as they {moment ? <>were at <strong>{momentText(moment)}</strong> UTC</> : 'last can be restored'} are
        written to a new {source.kind}. This {source.kind} stays as it is.
      </p>
      <TextField label={`Name of the new ${source.kind}`} value={name} onChange={setName} autoFocus hint={hint} />
      <ErrorMessage error={error} />
    </Dialog>
  )
}

function Progress<T>({ source, target, onClose }: { source: Source<T>; target: string; onClose: () => void }) {
  const [ready, setReady] = useState(false)
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const ask = () => void source.isReady(target).then((is) => {
      if (is) setReady(true)
      else timer = setTimeout(ask, pollInterval)
    }, setError)
    ask()
    return () => clearTimeout(timer)
  }, [source.id, target])
  return (
    <Dialog title={`Restore to a new ${source.kind}`} onClose={onClose} footer={<Button onPress={onClose}>Close</Button>}>
      <p role="status">
        {ready ? <>The {source.kind} <Link href={source.hrefOf(target)} onClick={onClose} className="break"><bdi>{target}</bdi></Link> is ready.</>
          : <>The {source.kind} <strong className="break"><bdi>{target}</bdi></strong> is being created. You can close this dialog; that goes on.</>}
      </p>
      {!ready && !error && <progress aria-label="Restoring" />}
      <ErrorMessage error={error} />
    </Dialog>
  )
}
