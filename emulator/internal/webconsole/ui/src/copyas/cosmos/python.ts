import { quote } from '../quote'
import { keyValues, type Account, type CosmosQuery, type KeyValue } from './query'

/** asCosmosPython is a program for azure-cosmos of Python. */
export function asCosmosPython(query: CosmosQuery, at: Account): string {
  const values = keyValues(query).map(literal)
  const single = values.length === 1 && values[0] !== 'None' // partition_key=None is no key
  const scope = values.length === 0 ? 'enable_cross_partition_query=True' : `partition_key=${single ? values[0] : `[${values.join(', ')}]`}`
  return `import json

from azure.cosmos import CosmosClient

client = CosmosClient(${quote(at.endpoint)}, ${quote(at.key)}, connection_verify=False)
container = client.get_database_client(${quote(query.database)}).get_container_client(${quote(query.container)})
items = container.query_items(${quote(query.sql)}, ${scope}, max_item_count=${query.limit})
for item in items:
    print(json.dumps(item))
`
}

function literal(value: KeyValue): string {
  switch (value.kind) {
    case 'string': return quote(value.text)
    case 'number': return value.text
    case 'boolean': return value.value ? 'True' : 'False'
    case 'null': return 'None'
  }
}
