import { quote } from '../quote'
import { keyValues, type Account, type CosmosQuery, type KeyValue } from './query'

/** asDotNet is a program for Microsoft.Azure.Cosmos of .NET. */
export function asDotNet(query: CosmosQuery, at: Account): string {
  const values = keyValues(query)
  const key = values.length === 0 ? '' : ` PartitionKey = new PartitionKeyBuilder()${values.map(add).join('')}.Build(),`
  return `using Microsoft.Azure.Cosmos;

using var client = new CosmosClient(${quote(at.endpoint)}, ${quote(at.key)}, new CosmosClientOptions
{
    ConnectionMode = ConnectionMode.Gateway,
    ServerCertificateCustomValidationCallback = (_, _, _) => true,
});
var container = client.GetContainer(${quote(query.database)}, ${quote(query.container)});
using var pages = container.GetItemQueryIterator<dynamic>(${quote(query.sql)},
    requestOptions: new QueryRequestOptions {${key} MaxItemCount = ${query.limit} });
while (pages.HasMoreResults)
{
    foreach (var item in await pages.ReadNextAsync())
    {
        Console.WriteLine(item);
    }
}
`
}

function add(value: KeyValue): string {
  switch (value.kind) {
    case 'string': return `.Add(${quote(value.text)})`
    case 'number': return `.Add(${value.text}d)`
    case 'boolean': return `.Add(${value.value})`
    case 'null': return '.AddNullValue()'
  }
}
