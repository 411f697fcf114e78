import { useState } from 'react'
import { call, type Recovery, type TimeToLive } from '../../api/dynamodb'
import { encryptionKey } from '../../export/schema'
import { isInfrequentAccess, streamView, streamViews, type Table } from '../../values/table'
import { Check, Select, TextField } from '../../widgets/Field'
import { ChangeDialog } from './ChangeDialog'

interface Props { table: Table; onClose: () => void }

export function TimeToLiveDialog({ table, ttl, onClose }: Props & { ttl: TimeToLive | undefined }) {
  const current = isOn(ttl) ? ttl?.AttributeName ?? '' : ''
  const [attribute, setAttribute] = useState(current)
  const specification = { Enabled: !current, AttributeName: attribute }
  return (
    <ChangeDialog title="Change time to live" action={current ? 'Disable time to live' : 'Enable time to live'} disabled={!attribute}
      done={`Time to live is ${current ? 'disabled' : 'enabled'}`} onClose={onClose}
      run={() => call('UpdateTimeToLive', { TableName: table.TableName, TimeToLiveSpecification: specification })}>
      <TextField label="Time to live attribute" value={attribute} onChange={setAttribute} disabled={!!current}
        hint={current ? 'To use another attribute, disable time to live first' : 'A number: when the item expires, in seconds since 1970'} />
    </ChangeDialog>
  )
}

/** isOn reports whether time to live is enabled, or soon will be. */
export function isOn(ttl: TimeToLive | undefined): boolean {
  return ttl?.TimeToLiveStatus === 'ENABLED' || ttl?.TimeToLiveStatus === 'ENABLING'
}

export function StreamDialog({ table, onClose }: Props) {
  const [view, setView] = useState(streamView(table))
  const specification = { StreamEnabled: !!view, ...(view && { StreamViewType: view }) }
  return (
    <ChangeDialog title="Change stream" action="Change stream" done="The stream is changed" disabled={view === streamView(table)}
      onClose={onClose} run={() => call('UpdateTable', { TableName: table.TableName, StreamSpecification: specification })}>
      <Select label="Stream" value={view} onChange={setView} options={streamViews} />
    </ChangeDialog>
  )
}

export function RecoveryDialog({ table, recovery, onClose }: Props & { recovery: Recovery | undefined }) {
  const [enabled, setEnabled] = useState(recovery?.PointInTimeRecoveryStatus === 'ENABLED')
  const [days, setDays] = useState(String(recovery?.RecoveryPeriodInDays ?? 35))
  const specification = { PointInTimeRecoveryEnabled: enabled, ...(enabled && { RecoveryPeriodInDays: Number(days) }) }
  return (
    <ChangeDialog title="Change point-in-time recovery" action="Change recovery" done="Point-in-time recovery is changed" onClose={onClose}
      run={() => call('UpdateContinuousBackups', { TableName: table.TableName, PointInTimeRecoverySpecification: specification })}>
      <Check checked={enabled} onChange={setEnabled}>Point-in-time recovery</Check>
      {enabled && <TextField label="Days that can be recovered" type="number" min={1} max={35} value={days} onChange={setDays} />}
    </ChangeDialog>
  )
}

export function ProtectionDialog({ table, onClose }: Props) {
  const [enabled, setEnabled] = useState(table.DeletionProtectionEnabled ?? false)
  return (
    <ChangeDialog title="Change deletion protection" action="Change protection" done="Deletion protection is changed" onClose={onClose}
      run={() => call('UpdateTable', { TableName: table.TableName, DeletionProtectionEnabled: enabled })}>
      <Check checked={enabled} onChange={setEnabled}>Deletion protection</Check>
    </ChangeDialog>
  )
}

export function ClassDialog({ table, onClose }: Props) {
  const [chosen, setChosen] = useState(isInfrequentAccess(table) ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD')
  return (
    <ChangeDialog title="Change table class" action="Change class" done="The table class is changed" onClose={onClose}
      run={() => call('UpdateTable', { TableName: table.TableName, TableClass: chosen })}>
      <Select label="Table class" value={chosen} onChange={setChosen} options={[
        { value: 'STANDARD', label: 'Standard' }, { value: 'STANDARD_INFREQUENT_ACCESS', label: 'Standard-infrequent access' },
      ]} />
    </ChangeDialog>
  )
}

/** EncryptionDialog chooses the key that encrypts a table: DynamoDB's own, that of AWS for the account, or one of the account. */
export function EncryptionDialog({ table, onClose }: Props) {
  const current = encryptionKey(table)
  const [kind, setKind] = useState(kindOf(current))
  const [key, setKey] = useState(current === 'aws' ? '' : current)
  const specification = kind === 'owned' ? { Enabled: false }
    : { Enabled: true, SSEType: 'KMS', ...(kind === 'own' && { KMSMasterKeyId: key.trim() }) }
  const same = kind === kindOf(current) && (kind !== 'own' || key.trim() === current)
  return (
    <ChangeDialog title="Change encryption" action="Change encryption" done="The encryption is changed" onClose={onClose}
      disabled={same || (kind === 'own' && !key.trim())}
      run={() => call('UpdateTable', { TableName: table.TableName, SSESpecification: specification })}>
      <Select label="Key" value={kind} onChange={setKind} options={[
        { value: 'owned', label: 'Owned by DynamoDB' }, { value: 'aws', label: 'AWS managed key' }, { value: 'own', label: 'Key of your account' },
      ]} />
      {kind === 'own' && <TextField label="Key id, ARN or alias" value={key} onChange={setKey} mono hint="A key of AWS KMS, such as alias/orders" />}
    </ChangeDialog>
  )
}

function kindOf(key: string): 'owned' | 'aws' | 'own' {
  return key === '' ? 'owned' : key === 'aws' ? 'aws' : 'own'
}
