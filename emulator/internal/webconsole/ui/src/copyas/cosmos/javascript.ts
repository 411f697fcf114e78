import { quote } from '../quote'
import { keyValues, type Account, type CosmosQuery } from './query'

/** asCosmosJavaScript is a module for @azure/cosmos in Node. */
export function asCosmosJavaScript(query: CosmosQuery, at: Account): string {
  const values = keyValues(query).map((v) => (v.kind === 'string' ? quote(v.text) : v.kind === 'boolean' ? String(v.value) : v.kind === 'null' ? 'null' : v.text))
  const scope = values.length === 0 ? '' : `partitionKey: ${values.length === 1 ? values[0] : `[${values.join(', ')}]`}, `
  return `import { Agent } from "node:https";
import { CosmosClient } from "@azure/cosmos";

const client = new CosmosClient({
  endpoint: ${quote(at.endpoint)},
  key: ${quote(at.key)},
  agent: new Agent({ rejectUnauthorized: false }),
});
const container = client.database(${quote(query.database)}).container(${quote(query.container)});
const { resources } = await container.items
  .query(${quote(query.sql)}, { ${scope}maxItemCount: ${query.limit} })
  .fetchAll();
for (const item of resources) console.log(JSON.stringify(item));
`
}
