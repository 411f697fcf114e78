import { useState } from 'react'
import { installPhone, latest, phones, type Delivery, type Phone, type Refusal } from '../../api/pushes'
import { usePolling } from '../../api/usePolling'
import { Link, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { CopyButton } from '../../widgets/Copy'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { dateText, number } from '../load/texts'
import { DeliveryView } from './DeliveryView'

/** PushesPage shows the phones of the push gateway, or one of them, and what they received. */
export default function PushesPage({ phone }: { phone: string }) {
  const list = usePolling('phones', phones, 2000)
  const received = usePolling(`pushes ${phone}`, () => latest(phone), 1000)
  const [error, setError] = useState<Error>()
  const add = (platform: Phone['platform']) => () => {
    setError(undefined)
    void installPhone(platform).then(list.reload, setError)
  }
  const one = list.data?.phones.find((p) => p.id === phone)
  return (
    <>
      <div className="page-head">
        <div>
          {phone && <div className="crumbs"><Link href="/pushes">Push messages</Link> /</div>}
          <h1>{phone ? <bdi>{phone}</bdi> : 'Push messages'}</h1>
        </div>
        {!phone && <div className="row"><Button icon="plus" onPress={add('ios')}>iOS phone</Button><Button icon="plus" onPress={add('android')}>Android phone</Button></div>}
      </div>
      <ErrorMessage error={error ?? list.error ?? received.error} />
      {!list.data && !list.error && <Loading what="the phones" />}
      {one && <Tokens phone={one} />}
      {received.data && <Deliveries deliveries={received.data.deliveries} />}
      {received.data && received.data.refusals.length > 0 && <Refusals refusals={received.data.refusals} />}
      {!phone && list.data && <Phones {...list.data} />}
    </>
  )
}

function Tokens({ phone: p }: { phone: Phone }) {
  const tokens: [string, string][] = [['Expo token', p.expoPushToken], [p.platform === 'ios' ? 'APNs token' : 'FCM token', p.deviceToken]]
  return (
    <section className="panel" aria-label="Phone">
      <dl className="panel-body properties">
        <dt>Platform</dt><dd>{p.platform}{!p.installed && <span className="badge warn">app uninstalled</span>}</dd>
        <dt>Project</dt><dd><bdi>{p.project}</bdi></dd>
        {tokens.map(([name, token]) => <Token key={name} name={name} token={token} />)}
        <dt>Messages</dt><dd>{number(p.delivered)} delivered, {number(p.refused)} refused</dd>
      </dl>
    </section>
  )
}

function Token({ name, token }: { name: string; token: string }) {
  return <><dt>{name}</dt><dd><code className="break">{token}</code><CopyButton text={token} label={`Copy the ${name}`} /></dd></>
}

function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  const [open, setOpen] = useState<Delivery>()
  return (
    <section className="panel" aria-labelledby="deliveries">
      <div className="panel-head"><h2 id="deliveries">Delivered</h2></div>
      {deliveries.length === 0 ? <div className="empty"><h2>No messages yet</h2><p>Messages appear here when a backend sends them to a phone’s token.</p></div> : (
        <div className="table-wrap" style={{ maxHeight: '50vh' }} tabIndex={0} role="region" aria-label="Delivered">
          <table className="table cards">
            <thead><tr><th scope="col">Time, UTC</th><th scope="col" className="wide">Message</th><th scope="col">Service</th><th scope="col">Phone</th></tr></thead>
            <tbody>
              {deliveries.map((d) => (
                <tr key={d.number}>
                  <td className="nowrap">{dateText(d.at)}</td>
                  <td className="grid break name"><button type="button" className="key-button" onClick={() => setOpen(d)}><bdi>{d.title || d.body || `Message ${d.number}`}</bdi></button></td>
                  <td data-label="Service">{d.service}</td>
                  <td className="break" data-label="Phone"><Link href={to('pushes', d.phone)}><bdi>{d.phone}</bdi></Link></td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {open && <DeliveryView delivery={open} onClose={() => setOpen(undefined)} />}
    </section>
  )
}

function Refusals({ refusals }: { refusals: Refusal[] }) {
  return (
    <section className="panel" aria-labelledby="refusals">
      <div className="panel-head"><h2 id="refusals">Refused</h2></div>
      <div className="table-wrap" style={{ maxHeight: '40vh' }} tabIndex={0} role="region" aria-label="Refused">
        <table className="table cards">
          <thead><tr><th scope="col">Time, UTC</th><th scope="col">Error</th><th scope="col">Service</th><th scope="col">Phone</th><th scope="col">Token</th></tr></thead>
          <tbody>
            {refusals.map((r, i) => (
              <tr key={i}>
                <td className="nowrap">{dateText(r.at)}</td><td><span className="badge bad"><bdi>{r.code}</bdi></span></td><td data-label="Service">{r.service}</td>
                <td className="break" data-label="Phone">{r.phone ? <Link href={to('pushes', r.phone)}><bdi>{r.phone}</bdi></Link> : 'unknown'}</td>
                <td className="break mono" data-label="Token"><bdi>{r.token || 'whole request'}</bdi></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Phones({ url, total, phones: all }: { url: string; total: number; phones: Phone[] }) {
  return (
    <section className="panel" aria-labelledby="phones">
      <div className="panel-head"><h2 id="phones">Phones</h2><span className="muted small">{number(total)} {total === 1 ? 'phone' : 'phones'} of the push gateway at <bdi>{url}</bdi></span></div>
      {all.length === 0 ? <div className="empty"><h2>No phones yet</h2><p>Add one here, and register its token with a backend.</p></div> : (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="Phones">
          <table className="table cards">
            <thead><tr><th scope="col">Phone</th><th scope="col">Platform</th><th scope="col" className="number">Delivered</th><th scope="col" className="number">Refused</th><th scope="col">Last message, UTC</th></tr></thead>
            <tbody>
              {all.map((p) => (
                <tr key={p.id}>
                  <td className="break name"><Link href={to('pushes', p.id)}><bdi>{p.id}</bdi></Link></td>
                  <td data-label="Platform">{p.platform} {!p.installed && <span className="badge warn">app uninstalled</span>}</td>
                  <td className="number" data-label="Delivered">{number(p.delivered)}</td><td className="number" data-label="Refused">{number(p.refused)}</td>
                  <td className="nowrap" data-label="Last message, UTC">{p.last ? dateText(p.last) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {total > all.length && <p className="panel-body muted small">Only {number(all.length)} are shown, those of the latest messages.</p>}
    </section>
  )
}
