import type { Overview } from '../../api/console'
import { useEmulator } from '../../app/session'
import { CopyButton } from '../../widgets/Copy'

/** DynamoDBConnection is what a client of DynamoDB needs. */
export function DynamoDBConnection() {
  const { overview, region } = useEmulator()
  const { dynamodb } = overview
  return (
    <section className="panel" aria-labelledby="connect-dynamodb">
      <div className="panel-head"><h2 id="connect-dynamodb">Connect to DynamoDB</h2></div>
      <dl className="properties panel-body">
        <Property name="Endpoint" value={dynamodb.endpoint} />
        <Property name="Region" value={region} />
        <Property name="Access key ID" value={dynamodb.accessKeyId} />
        {dynamodb.secretAccessKey && <Property name="Secret access key" value={dynamodb.secretAccessKey} />}
        <Property name="Account" value={dynamodb.accountId} />
        <Property name="Environment" value={`AWS_ENDPOINT_URL_DYNAMODB=${dynamodb.endpoint}`} />
      </dl>
    </section>
  )
}

/** CosmosConnection is what a client of Cosmos DB needs, and the certificate to trust. */
export function CosmosConnection({ cosmos }: { cosmos: NonNullable<Overview['cosmos']> }) {
  const pem = new Blob([cosmos.certificatePEM], { type: 'application/x-pem-file' })
  const save = () => {
    const url = URL.createObjectURL(pem)
    Object.assign(document.createElement('a'), { href: url, download: 'tabletop.pem' }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <section className="panel" aria-labelledby="connect-cosmos">
      <div className="panel-head"><h2 id="connect-cosmos">Connect to Cosmos DB</h2></div>
      <dl className="properties panel-body">
        <Property name="Endpoint" value={cosmos.endpoint} />
        <Property name="Key" value={cosmos.key} />
        <Property name="Connection string" value={cosmos.connectionString} />
        {cosmos.certificatePEM && (
          <>
            <dt>Certificate</dt>
            <dd><button type="button" className="button small" onClick={save}>Download PEM</button>
              <CopyButton text={cosmos.certificatePEM} label="Copy certificate" /></dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Property({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd><code className="clip" title={value}>{value}</code><CopyButton text={value} label={`Copy ${name.toLowerCase()}`} /></dd>
    </>
  )
}
