import { useState } from 'react'
import { offers, replaceOffer, type Container, type Offer } from '../../api/cosmos'
import { useResource } from '../../api/useResource'
import { parse } from '../../values/losslessJson'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { TextField } from '../../widgets/Field'
import { checkWith, jsonLanguage } from '../../widgets/languages'
import { ErrorMessage } from '../../widgets/Message'
import { toast } from '../../widgets/Toasts'

const checkJSON = checkWith(parse)

/** Settings shows the partition key and unique keys, and changes what can change. */
export function Settings({ container, onSave }: { database: string; container: Container; onSave: (changed: Container) => Promise<void> }) {
  const [ttl, setTTL] = useState(container.defaultTtl === undefined ? '' : String(container.defaultTtl))
  const [policy, setPolicy] = useState(JSON.stringify(container.indexingPolicy, null, 2))
  const [more, setMore] = useState(() => JSON.stringify(othersOf(container), null, 2))
  const [error, setError] = useState<Error>()
  const save = async () => {
    try {
      await onSave({
        ...fixedOf(container), ...(JSON.parse(more) as object), indexingPolicy: JSON.parse(policy) as Record<string, unknown>,
        ...(ttl.trim() && { defaultTtl: Number(ttl) }),
      } as Container)
      setError(undefined)
      toast('The settings are saved')
    } catch (e) {
      setError(e as Error)
    }
  }
  return (
    <div className="columns">
      <div className="stack">
        <section className="panel" aria-labelledby="keys">
          <div className="panel-head"><h2 id="keys">Keys</h2></div>
          <dl className="properties panel-body">
            <dt>Partition key</dt><dd><code className="break">{container.partitionKey.paths.join(', ')}</code></dd>
            <dt>Unique keys</dt>
            <dd><code className="break">{container.uniqueKeyPolicy?.uniqueKeys.map((k) => k.paths.join(', ')).join('; ') || 'None'}</code></dd>
          </dl>
        </section>
        <Throughput rid={container._rid} />
      </div>
      <section className="panel" aria-labelledby="policy">
        <div className="panel-head"><h2 id="policy">Time to live and indexing</h2></div>
        <div className="panel-body stack">
          <TextField label="Default time to live in seconds" value={ttl} onChange={setTTL} hint="Empty: off. -1: only items with a ttl of their own expire." />
          <div className="field">
            <span className="label">Indexing policy</span>
            <CodeEditor label="Indexing policy" value={policy} onChange={setPolicy} language={jsonLanguage} check={checkJSON} lines />
          </div>
          <div className="field">
            <span className="label">Other properties</span>
            <CodeEditor label="Other properties" value={more} onChange={setMore} language={jsonLanguage} check={checkJSON} lines />
            <div className="hint">Computed properties, full-text and vector policies and so on</div>
          </div>
          <ErrorMessage error={error} />
          <div><Button kind="primary" onPress={save}>Save settings</Button></div>
        </div>
      </section>
    </div>
  )
}

/** The properties that this page has fields for, and those that cannot change. */
const withFields = ['id', 'partitionKey', 'uniqueKeyPolicy', 'indexingPolicy', 'defaultTtl']

/** fixedOf are the properties of a container that a change keeps: its name, keys and what the service sets. */
function fixedOf(container: Container): Partial<Container> {
  return Object.fromEntries(Object.entries(container).filter(([name]) =>
    name.startsWith('_') || ['id', 'partitionKey', 'uniqueKeyPolicy'].includes(name)))
}

/** othersOf are the properties of a container without fields of their own. */
function othersOf(container: Container): Record<string, unknown> {
  return Object.fromEntries(Object.entries(container).filter(([name]) => !name.startsWith('_') && !withFields.includes(name)))
}

function Throughput({ rid }: { rid: string }) {
  const { data, error, reload } = useResource(`offer ${rid}`, async () => (await offers()).find((o) => o.offerResourceId === rid),
    (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  return (
    <section className="panel" aria-labelledby="throughput">
      <div className="panel-head"><h2 id="throughput">Throughput</h2></div>
      <div className="panel-body stack">
        <ErrorMessage error={error} />
        {data ? <OfferForm key={data._rid + JSON.stringify(data.content)} offer={data} onSaved={reload} /> : <p className="muted">The container uses the throughput of its database.</p>}
      </div>
    </section>
  )
}

function OfferForm({ offer, onSaved }: { offer: Offer; onSaved: () => void }) {
  const auto = offer.content.offerAutopilotSettings
  const [value, setValue] = useState(String(auto?.maxThroughput ?? offer.content.offerThroughput))
  const [error, setError] = useState<Error>()
  const save = () => {
    const content = auto ? { ...offer.content, offerAutopilotSettings: { maxThroughput: Number(value) } }
      : { ...offer.content, offerThroughput: Number(value) }
    replaceOffer({ ...offer, content }).then(() => {
      setError(undefined)
      toast('The throughput is changed')
      onSaved()
    }, setError)
  }
  return (
    <>
      <div className="row top">
        <TextField label={auto ? 'Autoscale maximum, RU/s' : 'Manual, RU/s'} type="number" min={400} step={100} value={value} onChange={setValue} />
        <Button onPress={save}>Change</Button>
      </div>
      <ErrorMessage error={error} />
    </>
  )
}
