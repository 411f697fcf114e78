import { useState } from 'react'
import { heat, type Heat } from '../../api/admin'
import { clock, type Overview } from '../../api/console'
import { usePolling } from '../../api/usePolling'
import { useEmulator } from '../../app/session'
import type { Measure } from '../../values/heat'
import { Segments, Select } from '../../widgets/Field'
import { ErrorMessage, Loading } from '../../widgets/Message'
import { HeatPanel } from './HeatPanel'

/** The most maps that are drawn; a filter shows others. */
const maxMaps = 30

/** HeatMaps draws the load on the resources that are of interest, by partition and minute, again every two seconds. */
export function HeatMaps({ of, children }: { of: (heat: Heat) => boolean; children?: React.ReactNode }) {
  const { overview: { dynamodb }, session, region } = useEmulator()
  const [minutes, setMinutes] = useState<'15' | '60' | '180'>('60')
  const [measure, setMeasure] = useState<Measure>('both')
  const { data, error } = usePolling('heat', async () => ({ heat: await heat(), now: Date.parse((await clock()).now) }), 2000)
  const shown = data?.heat.filter((h) => of(h) && isVisible(h, { ...dynamodb, isolated: dynamodb.isolated && !session.identities }, region)) ?? []
  return (
    <>
      <div className="row top">
        {children}
        <Segments label="Time of the maps" value={minutes} onChange={setMinutes} options={[
          { value: '15', label: '15 min' }, { value: '60', label: '1 h' }, { value: '180', label: '3 h' },
        ]} />
        <Select label="Load" hideLabel value={measure} onChange={setMeasure} options={[
          { value: 'both', label: 'Reads and writes' }, { value: 'reads', label: 'Reads' }, { value: 'writes', label: 'Writes' },
        ]} />
      </div>
      <ErrorMessage error={error} />
      {!data && !error && <Loading what="the load" />}
      {data && shown.length === 0 && <div className="empty">No tables or containers</div>}
      {data && shown.slice(0, maxMaps).map((h) => (
        <HeatPanel key={`${h.cloud} ${h.resource} ${h.account ?? ''}`} heat={h} now={data.now} minutes={Number(minutes)} measure={measure} />
      ))}
      {shown.length > maxMaps && <p className="muted">{shown.length - maxMaps} more are not shown: filter by name</p>}
    </>
  )
}

/** isVisible reports whether a resource is in the chosen region, and of the access key if each has its own tables. */
function isVisible({ cloud, account = '' }: Heat, { isolated, accessKeyId, region: usual }: Overview['dynamodb'], region: string): boolean {
  if (cloud === 'cosmos') return true
  if (isolated) return account === `${accessKeyId}/${region}`
  return account.includes('/') ? account.endsWith(`/${region}`) : region === usual
}
