import { useState } from 'react'
import { useEmulator } from '../../app/session'
import { Segments } from '../../widgets/Field'
import { CosmosMetrics } from './CosmosMetrics'
import { DynamoMetrics } from './DynamoMetrics'
import { windows, type Window } from './windows'

/** MetricsPage has the metrics of everything. */
export default function MetricsPage() {
  const { overview } = useEmulator()
  const [window, setWindow] = useState<Window>('1h')
  const [cloud, setCloud] = useState<'dynamodb' | 'cosmos'>('dynamodb')
  return (
    <>
      <div className="page-head">
        <h1>Metrics</h1>
        <div className="row">
          {overview.cosmos && <Segments label="Service" value={cloud} onChange={setCloud} options={[
            { value: 'dynamodb', label: 'DynamoDB' }, { value: 'cosmos', label: 'Cosmos DB' },
          ]} />}
          <Segments label="Time" value={window} onChange={setWindow} options={windows} />
        </div>
      </div>
      {cloud === 'dynamodb' ? <DynamoMetrics window={window} /> : <CosmosMetrics window={window} />}
    </>
  )
}
