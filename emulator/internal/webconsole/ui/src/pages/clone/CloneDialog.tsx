import { useEffect, useRef, useState } from 'react'
import { clone, type Original } from '../../api/clones'
import { announce } from '../../api/events'
import { Link, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'

/** CloneDialog copies a table or a container to a new one. items is how many it has, about: for the progress. */
export default function CloneDialog({ of, items, onClose }: { of: Original; items: number; onClose: () => void }) {
  const [kind, source] = 'table' in of ? ['table', of.table] : ['container', of.container]
  const [name, setName] = useState(`${source}-copy`)
  const [withItems, setWithItems] = useState(true)
  const [copied, setCopied] = useState<number>()
  const [total, setTotal] = useState<number>()
  const [error, setError] = useState<Error>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const busy = copied !== undefined
  const run = async () => {
    if (busy) return
    const controller = (running.current = new AbortController())
    setError(undefined)
    setCopied(0)
    try {
      setTotal(await clone(of, name, !withItems, setCopied, controller.signal))
      announce('table' in of ? { cloud: 'dynamodb', kind: 'schema', name } : { cloud: 'cosmos', kind: 'schema', name: `${of.database}/${name}` })
    } catch (e) {
      setError(controller.signal.aborted ? new Error(`The clone was stopped. Nothing is left of the new ${kind}.`) : e as Error)
    }
    setCopied(undefined)
  }
  const href = 'table' in of ? to('dynamodb', 'tables', name) : to('cosmos', of.database, name)
  const title = <>Clone <bdi>{source}</bdi></>
  if (total !== undefined) {
    return (
      <Dialog title={title} onClose={onClose} footer={<Button onPress={onClose}>Close</Button>}>
        <p role="status">
          The {kind} <Link href={href} onClick={onClose} className="break"><bdi>{name}</bdi></Link> is ready{withItems && `, with ${count(total)}`}.
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog title={title} onClose={onClose} onSubmit={() => void run()} footer={<>
      <Button onPress={busy ? () => running.current?.abort() : onClose}>{busy ? 'Stop' : 'Cancel'}</Button>
      <Button type="submit" kind="primary" isDisabled={busy || !name}>Clone</Button>
    </>}>
      <TextField label={`Name of the new ${kind}`} value={name} onChange={setName} disabled={busy} autoFocus onFocus={(e) => e.currentTarget.select()} />
      <Check checked={withItems} onChange={setWithItems} disabled={busy}>With the items, as they are now</Check>
      <p className="hint">{'table' in of
        ? 'The new table has the same keys, indexes, capacity, table class, encryption, time to live and stream settings. Tags, deletion protection, point-in-time recovery, policies and replicas are not copied.'
        : 'The new container has the same settings and throughput. Its items get new _ts and _etag. Scripts are not copied.'}</p>
      {busy && (
        <div className="stack tight" role="status">
          <progress aria-label="Clone" {...(copied > 0 && items > 0 && { max: Math.max(items, copied), value: copied })} />
          <span className="muted">{copied > 0 ? `${count(copied)} copied` : 'Copying…'}</span>
        </div>
      )}
      <ErrorMessage error={error} />
    </Dialog>
  )
}

const count = (n: number) => (n === 1 ? '1 item' : `${n.toLocaleString('en-US')} items`)
