import { quote } from '../quote'
import { keyValues, type Account, type CosmosQuery, type KeyValue } from './query'

/** asCosmosJava is a program for azure-cosmos of Java. */
export function asCosmosJava(query: CosmosQuery, at: Account): string {
  const values = keyValues(query)
  const key = values.length === 0 ? '' : `
      options.setPartitionKey(new PartitionKeyBuilder()${values.map(add).join('')}.build());`
  return `// Import the certificate into the trust store of Java first: docs/cosmos.md, "From an SDK".
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.*;
import com.fasterxml.jackson.databind.JsonNode;

class Main {
  public static void main(String[] args) {
    try (var client = new CosmosClientBuilder()
        .endpoint(${quote(at.endpoint)})
        .key(${quote(at.key)})
        .gatewayMode()
        .buildClient()) {
      var options = new CosmosQueryRequestOptions();${key}
      var container = client.getDatabase(${quote(query.database)}).getContainer(${quote(query.container)});
      container.queryItems(${quote(query.sql)}, options, JsonNode.class)
          .iterableByPage(${query.limit})
          .forEach(page -> page.getResults().forEach(System.out::println));
    }
  }
}
`
}

function add(value: KeyValue): string {
  switch (value.kind) {
    case 'string': return `.add(${quote(value.text)})`
    case 'number': return `.add(${value.text}d)`
    case 'boolean': return `.add(${value.value})`
    case 'null': return '.addNullValue()'
  }
}
