import { useState } from 'react'
import { offers } from '../../api/cosmos'
import { useResource } from '../../api/useResource'
import { Segments } from '../../widgets/Field'
import { HeatMaps } from '../heat/HeatMaps'
import { CosmosMetrics } from './CosmosMetrics'
import { windows, type Window } from './windows'

/** ContainerMetrics has the metrics of a container. */
export default function ContainerMetrics({ database, name, rid }: { database: string; name: string; rid: string }) {
  const [window, setWindow] = useState<Window>('1h')
  const { data: offer } = useResource(`offer ${rid}`, async () => (await offers()).find((o) => o.offerResourceId === rid)?.content,
    (c) => c.cloud === 'cosmos' && c.kind === 'schema')
  return (
    <>
      <div><Segments label="Time" value={window} onChange={setWindow} options={windows.filter((w) => !w.value.endsWith('d'))} /></div>
      <CosmosMetrics container={`${database}/${name}`} window={window}
        provisioned={{ units: offer?.offerAutopilotSettings?.maxThroughput ?? offer?.offerThroughput }} />
      <h2>Heat by partition</h2>
      <HeatMaps of={(h) => h.cloud === 'cosmos' && h.resource === `${database}/${name}`} />
    </>
  )
}
