import { useState } from 'react'
import { call } from '../../api/dynamodb'
import { Problem } from '../../api/http'
import type { Seen } from '../../api/requests'
import { useEmulator } from '../../app/session'
import { copyAs, languages } from '../../copyas/copyas'
import { momentText } from '../../history/moment'
import { parse } from '../../values/losslessJson'
import { pretty } from '../../values/pretty'
import { Button } from '../../widgets/Button'
import { Compare } from '../../widgets/Compare'
import { Code, copyText } from '../../widgets/Copy'
import { Dialog } from '../../widgets/Dialog'
import { Menu } from '../../widgets/Menu'
import { ErrorMessage } from '../../widgets/Message'
import { WhyDenied } from '../access/WhyDenied'
import { toast } from '../../widgets/Toasts'

/** RequestView shows one request with its bodies, and can send one to DynamoDB again. */
export function RequestView({ seen, onClose }: { seen: Seen; onClose: () => void }) {
  const { overview, region } = useEmulator()
  const [again, setAgain] = useState<{ text?: string; error?: Error }>()
  const whole = !seen.truncated && seen.request !== undefined
  const replayable = seen.cloud === 'dynamodb' && whole && isJSON(seen.request)
  const replay = async () => {
    if (!isRead(seen.operation) && !confirm(`Send this ${seen.operation} again?`)) return
    await call(seen.operation, JSON.parse(seen.request!) as unknown).then((r) => setAgain({ text: r.text }), (error: Error) => setAgain({ error, ...(error instanceof Problem && { text: error.body }) }))
  }
  const copy = (language: (typeof languages)[number]) => async () => {
    const input = JSON.parse(seen.request!) as Record<string, unknown>
    await copyText(copyAs(language, { operation: seen.operation, input }, { ...overview.dynamodb, region }))
    toast(`The request is on the clipboard as ${language}`)
  }
  return (
    <Dialog title={`${seen.operation} ${(seen.target ?? []).join(', ')}`} place="side" onClose={onClose} {...(replayable && {
      footer: <>
        <Menu label="Copy as" icon="copy" actions={languages.map((l) => ({ id: l, label: l, run: () => void copy(l)() }))} />
        <Button kind="primary" icon="refresh" onPress={replay}>Send again</Button>
      </>,
    })}>
      <dl className="properties">
        <dt>Time</dt><dd><time dateTime={seen.time}>{momentText(seen.time)}</time></dd>
        <dt>Status</dt><dd><span className={`badge ${seen.status < 400 ? 'ok' : 'bad'}`}>{seen.status}</span> {seen.error}
          {seen.dropped && <span className="badge warn">a fault dropped the response</span>}</dd>
        <dt>Duration</dt><dd>{seen.durationMs.toLocaleString('en-US', { maximumFractionDigits: 3 })} ms</dd>
        {unitsOf(seen) && <><dt>Consumed</dt><dd>{unitsOf(seen)} {seen.cloud === 'cosmos' ? 'RU' : 'capacity units'}</dd></>}
        {seen.user && <><dt>User</dt><dd><bdi className="break">{seen.user}</bdi></dd></>}
        {seen.client && <><dt>Client</dt><dd><bdi className="break">{seen.client}</bdi></dd></>}
      </dl>
      <WhyDenied seen={seen} />
      {seen.truncated && <p className="message warning">The bodies are longer than what is kept of them.</p>}
      {seen.request !== undefined && <><h3>Request</h3><Code label="Request" text={pretty(seen.request)} /></>}
      {seen.response !== undefined && <><h3>Response</h3><Code label="Response" text={pretty(seen.response)} /></>}
      {again && <>
        <h3>Response to the second request</h3>
        <ErrorMessage error={again.error} />
        {again.text && <Compare label="Both responses" titles={['First', 'Second']} left={pretty(seen.response ?? '')} right={pretty(again.text)} />}
      </>}
    </Dialog>
  )
}

function isRead(operation: string): boolean {
  return /^(Get|BatchGet|TransactGet|Query|Scan|Describe|List)/.test(operation)
}

function isJSON(text: string | undefined): boolean {
  try {
    parse(text ?? '')
    return true
  } catch {
    return false
  }
}

/** unitsOf is what a request consumed, or ''. */
export function unitsOf(seen: Seen): string {
  const number = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: 2 })
  if (seen.requestCharge !== undefined) return number(seen.requestCharge)
  return seen.capacity ? number(seen.capacity.reads + seen.capacity.writes) : ''
}
