import { useState } from 'react'
import { addFault, type Rule } from '../../api/admin'
import { Button } from '../../widgets/Button'
import { Dialog } from '../../widgets/Dialog'
import { Check, Select, TextField } from '../../widgets/Field'
import { ErrorMessage } from '../../widgets/Message'
import { ruleOf, type Fields } from './rule'

const actions = [
  { value: 'throttle', label: 'Throttle' }, { value: 'internal-error', label: 'Fail with status 500' },
  { value: 'unavailable', label: 'Fail with status 503' }, { value: 'delay', label: 'Delay' },
  { value: 'hold', label: 'Hold the items of a write' }, { value: 'stale', label: 'Read stale data' },
  { value: 'cut-before-commit', label: 'Cut before the commit' }, { value: 'cut-after-commit', label: 'Cut after the commit' },
  { value: 'unprocessed', label: 'Leave part of a batch unprocessed' }, { value: 'conflict', label: 'Conflict with a transaction' },
  { value: 'short-page', label: 'End a page after one item' }, { value: 'redeliver', label: 'Deliver stream records again' },
  { value: 'clock-jump', label: 'Move the clock forward' }, { value: 'expired-token', label: 'Refuse the credentials as expired' },
  { value: 'restart', label: 'Restart after the commit' },
] as const

const empty: Fields = {
  name: '', operations: '', tables: '', partitionKey: '', sortKey: '', identities: '', latency: '', latencyP99: '', probability: '',
  skip: '', every: '', times: '', for: '', fraction: '',
}

/** AddFault describes a fault. The emulator checks it. */
export function AddFault({ onClose }: { onClose: () => void }) {
  const [action, setAction] = useState<string>('throttle')
  const [fields, setFields] = useState(empty)
  const [realTime, setRealTime] = useState(false)
  const [error, setError] = useState<Error>()
  const field = (name: keyof Fields, label: string, placeholder = '', hint?: string) => (
    <TextField label={label} value={fields[name]} onChange={(text) => setFields((f) => ({ ...f, [name]: text }))} placeholder={placeholder} hint={hint} />
  )
  const save = () => {
    const rule: Rule = { ...ruleOf(fields), do: action, ...(realTime && action !== 'clock-jump' && { realTime }) }
    addFault(rule).then(onClose, setError)
  }
  return (
    <Dialog title="Add fault" place="wide" onClose={onClose} onSubmit={save}
      footer={<><Button onPress={onClose}>Cancel</Button><Button kind="primary" type="submit">Add</Button></>}>
      <div className="form-grid">
        <Select label="Action" value={action} options={actions} onChange={setAction} />
        {field('name', 'Name', '', 'Empty: the emulator chooses one')}
        {field('operations', 'Operations', 'PutItem, Batch*', 'Empty: all. * matches any text.')}
        {field('tables', 'Tables or containers', 'orders', 'Empty: all')}
        {field('partitionKey', 'Partition key')}
        {field('sortKey', 'Sort key')}
        {field('identities', 'Callers', '', 'Access keys, users, roles or ARNs')}
        {action === 'unprocessed' && field('fraction', 'Fraction unprocessed', '0.5')}
        {action === 'clock-jump' ? field('latency', 'Jump', '1h', 'How far the clock moves') : field('latency', 'Latency', '20ms', 'Before the action')}
        {field('latencyP99', 'Latency, 99th percentile', '200ms')}
        {field('probability', 'Probability', '1', 'From 0 to 1')}
        {field('skip', 'Matching requests to skip')}
        {field('every', 'Apply to every n-th request', '1')}
        {field('times', 'Maximum number of times')}
        {field('for', 'Duration', '10m')}
      </div>
      {(action === 'delay' || action === 'hold' || fields.latency) && action !== 'clock-jump' && (
        <Check checked={realTime} onChange={setRealTime}>Wait by the machine’s clock instead of the emulator’s</Check>
      )}
      <ErrorMessage error={error} />
    </Dialog>
  )
}
