import { quote } from '../quote'
import { cosmosGoProgram } from './goProgram'
import { keyValues, type Account, type CosmosQuery, type KeyValue } from './query'

/** asCosmosGo is a program for the Azure SDK for Go. An empty partition key is a query over all partitions. */
export function asCosmosGo(query: CosmosQuery, at: Account): string {
  return cosmosGoProgram(at, `	container, err := client.NewContainer(${quote(query.database)}, ${quote(query.container)})
	if err != nil {
		log.Fatal(err)
	}
	key := azcosmos.NewPartitionKey()${keyValues(query).map(append).join('')}
	pages := container.NewQueryItemsPager(${quote(query.sql)}, key, &azcosmos.QueryOptions{PageSizeHint: ${query.limit}})
	for pages.More() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		for _, item := range page.Items {
			fmt.Println(string(item))
		}
	}
`)
}

function append(value: KeyValue): string {
  switch (value.kind) {
    case 'string': return `.AppendString(${quote(value.text)})`
    case 'number': return `.AppendNumber(${value.text})`
    case 'boolean': return `.AppendBool(${value.value})`
    case 'null': return '.AppendNull()'
  }
}
