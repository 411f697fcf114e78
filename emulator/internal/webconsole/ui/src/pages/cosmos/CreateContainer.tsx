import { useState } from 'react'
import { path, request } from '../../api/cosmos'
import { navigate, to } from '../../app/router'
import { Button } from '../../widgets/Button'
import { CodeEditor } from '../../widgets/CodeEditor'
import { Dialog } from '../../widgets/Dialog'
import { Segments, TextField } from '../../widgets/Field'
import { jsonLanguage, checkWith } from '../../widgets/languages'
import { parse } from '../../values/losslessJson'
import { ErrorMessage } from '../../widgets/Message'

const checkJSON = checkWith((text) => text.trim() && parse(text))

/** CreateContainer is the dialog for a new container. */
export function CreateContainer({ database, onClose }: { database: string; onClose: () => void }) {
  const [id, setId] = useState('')
  const [keys, setKeys] = useState('/id')
  const [rate, setRate] = useState<'manual' | 'auto' | 'shared'>('manual')
  const [throughput, setThroughput] = useState('400')
  const [ttl, setTTL] = useState('')
  const [unique, setUnique] = useState('')
  const [indexing, setIndexing] = useState('')
  const [more, setMore] = useState('')
  const [error, setError] = useState<Error>()

  const submit = async () => {
    try {
      await request('POST', path('dbs', database, 'colls'), rateHeaders(rate, throughput), containerBody({ id, keys, ttl, unique, indexing, more }))
      onClose()
      navigate(to('cosmos', database, id))
    } catch (e) {
      setError(e as Error)
    }
  }
  const chooseRate = (next: typeof rate) => {
    setRate(next)
    setThroughput(next === 'auto' ? '1000' : '400')
  }
  return (
    <Dialog title={<>Create container in <bdi>{database}</bdi></>} place="side" onClose={onClose} onSubmit={submit} footer={<>
      <Button onPress={onClose}>Cancel</Button><Button type="submit" kind="primary" isDisabled={!id || !keys}>Create container</Button>
    </>}>
      <TextField label="Container" value={id} onChange={setId} autoFocus />
      <TextField label="Partition key" value={keys} onChange={setKeys} mono hint="Up to three paths, separated by commas: /tenant, /user" />
      <div className="row top">
        <Segments label="Throughput" value={rate} onChange={chooseRate} options={[
          { value: 'manual', label: 'Manual' }, { value: 'auto', label: 'Autoscale' }, { value: 'shared', label: 'Shared with the database' },
        ]} />
        {rate !== 'shared' && (
          <TextField label={rate === 'auto' ? 'Most RU/s' : 'RU/s'} type="number" min={400} step={100} value={throughput} onChange={setThroughput} />
        )}
      </div>
      <div className="form-grid">
        <TextField label="Default time to live (optional)" value={ttl} onChange={setTTL} hint="Seconds; -1: only items with a ttl of their own expire" />
        <TextField label="Unique keys (optional)" value={unique} onChange={setUnique} mono hint="Separate keys with semicolons and the paths of one key with commas" />
      </div>
      <div className="field">
        <span className="label">Indexing policy (optional)</span>
        <CodeEditor label="Indexing policy" value={indexing} onChange={setIndexing} language={jsonLanguage} check={checkJSON} size="short"
          placeholder='{"indexingMode": "consistent", "includedPaths": [{"path": "/*"}]}' />
      </div>
      <div className="field">
        <span className="label">Other properties (optional)</span>
        <CodeEditor label="Other properties" value={more} onChange={setMore} language={jsonLanguage} check={checkJSON} size="short"
          placeholder='{"computedProperties": [{"name": "lower", "query": "SELECT VALUE LOWER(c.name) FROM c"}]}' />
      </div>
      <ErrorMessage error={error} />
    </Dialog>
  )
}

/** rateHeaders are the headers that give a container throughput of its own. */
function rateHeaders(rate: 'manual' | 'auto' | 'shared', throughput: string): Record<string, string> {
  if (rate === 'shared') return {}
  return rate === 'auto' ? { 'x-ms-cosmos-offer-autopilot-settings': JSON.stringify({ maxThroughput: Number(throughput) }) }
    : { 'x-ms-offer-throughput': throughput }
}

/** containerBody is the resource. Errors: JSONError in the indexing policy or the other properties. */
export function containerBody(form: { id: string; keys: string; ttl: string; unique: string; indexing: string; more: string }): string {
  const paths = form.keys.split(',').map((p) => p.trim()).filter(Boolean)
  const [policy, more] = [form.indexing.trim(), form.more.trim()]
  for (const text of [policy, more]) if (text) parse(text)
  const body = {
    ...(more && (JSON.parse(more) as object)),
    id: form.id,
    partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 },
    ...(form.ttl.trim() && { defaultTtl: Number(form.ttl) }),
    ...(form.unique.trim() && { uniqueKeyPolicy: { uniqueKeys: uniqueKeys(form.unique) } }),
    ...(policy && { indexingPolicy: JSON.parse(policy) as unknown }),
  }
  return JSON.stringify(body)
}

/** uniqueKeys reads keys separated by semicolons, each of paths separated by commas. */
export function uniqueKeys(text: string): { paths: string[] }[] {
  return text.split(';').map((key) => ({ paths: key.split(',').map((p) => p.trim()).filter(Boolean) })).filter((k) => k.paths.length > 0)
}
