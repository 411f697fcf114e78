import { useState } from 'react'
import { encryptionKey } from '../../export/schema'
import { bytes } from '../../values/size'
import { isInfrequentAccess, isOnDemand, streamView, streamViews, type Table } from '../../values/table'
import { Button } from '../../widgets/Button'
import { CopyButton } from '../../widgets/Copy'
import { ErrorMessage } from '../../widgets/Message'
import { CapacityDialog } from './CapacityDialog'
import { ClassDialog, EncryptionDialog, ProtectionDialog, RecoveryDialog, StreamDialog, TimeToLiveDialog } from './SettingDialogs'
import { TagsDialog } from './TagsDialog'
import type { Settings } from './useSettings'

type Setting = 'capacity' | 'table class' | 'time to live' | 'stream' | 'point-in-time recovery' | 'deletion protection' | 'tags' | 'encryption'

/** SettingsPanel shows the settings of a table, and opens the dialog that changes one. */
export function SettingsPanel({ table, settings }: { table: Table; settings: Settings | undefined }) {
  const [open, setOpen] = useState<Setting>()
  const close = () => setOpen(undefined)
  const row = (setting: Setting, name: string, value: React.ReactNode, known = true) => (
    <>
      <dt>{name}</dt>
      <dd className="setting">
        <span className="grow break">{value}</span>
        <Button small kind="quiet" aria-label={`Change ${setting}`} isDisabled={!known} onPress={() => setOpen(setting)}>Change</Button>
      </dd>
    </>
  )
  const { ttl, recovery, tags } = settings ?? {}
  return (
    <section className="panel" aria-labelledby="settings">
      <div className="panel-head"><h2 id="settings">Table</h2><span className={`badge ${table.TableStatus === 'ACTIVE' ? 'ok' : 'warn'}`}>{table.TableStatus}</span></div>
      <div className="panel-body stack">
        <ErrorMessage error={settings?.error} />
        <dl className="properties">
          {table.KeySchema.map((k) => (
            <Row key={k.AttributeName} name={k.KeyType === 'HASH' ? 'Partition key' : 'Sort key'}>
              <code>{k.AttributeName} ({table.AttributeDefinitions.find((d) => d.AttributeName === k.AttributeName)?.AttributeType})</code>
            </Row>
          ))}
          <Row name="Items">{table.ItemCount.toLocaleString('en-US')}, {bytes(table.TableSizeBytes)}</Row>
          {row('capacity', 'Capacity', capacity(table))}
          {row('table class', 'Table class', isInfrequentAccess(table) ? 'Standard-infrequent access' : 'Standard')}
          {row('time to live', 'Time to live', !ttl ? '…' : ttl.AttributeName ? <><code>{ttl.AttributeName}</code> {ttl.TimeToLiveStatus.toLowerCase()}</> : 'Off', !!ttl)}
          {row('stream', 'Stream', streamText(table))}
          {row('point-in-time recovery', 'Point-in-time recovery', !recovery ? '…' : recovery.PointInTimeRecoveryStatus === 'ENABLED' ? `${recovery.RecoveryPeriodInDays ?? 35} days` : 'Off', !!recovery)}
          {row('deletion protection', 'Deletion protection', table.DeletionProtectionEnabled ? 'On' : 'Off')}
          {row('tags', 'Tags', !tags ? '…' : tags.length === 0 ? 'None' : tags.map((t) => <span key={t.Key} className="badge tag">{t.Key} = {t.Value}</span>), !!tags)}
          {row('encryption', 'Encryption', encryption(table))}
          <Row name="Created">{new Date(table.CreationDateTime * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC</Row>
          <ArnRow name="ARN" arn={table.TableArn} />
          {streamView(table) && table.LatestStreamArn && <ArnRow name="Stream ARN" arn={table.LatestStreamArn} />}
        </dl>
      </div>
      {open === 'capacity' && <CapacityDialog table={table} onClose={close} />}
      {open === 'table class' && <ClassDialog table={table} onClose={close} />}
      {open === 'time to live' && <TimeToLiveDialog table={table} ttl={ttl} onClose={close} />}
      {open === 'stream' && <StreamDialog table={table} onClose={close} />}
      {open === 'point-in-time recovery' && <RecoveryDialog table={table} recovery={recovery} onClose={close} />}
      {open === 'deletion protection' && <ProtectionDialog table={table} onClose={close} />}
      {open === 'encryption' && <EncryptionDialog table={table} onClose={close} />}
      {open === 'tags' && <TagsDialog table={table} tags={tags ?? []} onClose={close} />}
    </section>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return <><dt>{name}</dt><dd>{children}</dd></>
}

function ArnRow({ name, arn }: { name: string; arn: string }) {
  return <Row name={name}><code className="clip" title={arn}>{arn}</code><CopyButton text={arn} label={`Copy ${name}`} /></Row>
}

function capacity(table: Table): string {
  if (!isOnDemand(table)) {
    const p = table.ProvisionedThroughput
    return `${p?.ReadCapacityUnits ?? 0} reads and ${p?.WriteCapacityUnits ?? 0} writes per second`
  }
  const { MaxReadRequestUnits: reads = -1, MaxWriteRequestUnits: writes = -1 } = table.OnDemandThroughput ?? {}
  const maximum = [reads > 0 && `${reads} reads`, writes > 0 && `${writes} writes`].filter(Boolean).join(' and ')
  return maximum ? `On demand, at most ${maximum} per second` : 'On demand'
}

function streamText(table: Table): string {
  const view = streamView(table)
  return view === '' ? 'Off' : streamViews.find((v) => v.value === view)?.label ?? view
}

function encryption(table: Table): React.ReactNode {
  const key = encryptionKey(table)
  if (key === '') return 'Owned by DynamoDB'
  return key === 'aws' ? 'AWS managed key' : <code className="clip" title={key}>{key}</code>
}
