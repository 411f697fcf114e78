import { keyValues, quote, type Account, type CosmosQuery, type KeyValue } from './query'

/** asCosmosGo is a program for the Azure SDK for Go. An empty partition key is a query over all partitions. */
export function asCosmosGo(query: CosmosQuery, at: Account): string {
  return `package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"log"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

func main() {
	cred, err := azcosmos.NewKeyCredential(${quote(at.key)})
	if err != nil {
		log.Fatal(err)
	}
	transport := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	client, err := azcosmos.NewClientWithKey(${quote(at.endpoint)}, cred,
		&azcosmos.ClientOptions{ClientOptions: policy.ClientOptions{Transport: transport}})
	if err != nil {
		log.Fatal(err)
	}
	container, err := client.NewContainer(${quote(query.database)}, ${quote(query.container)})
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
}
`
}

function append(value: KeyValue): string {
  switch (value.kind) {
    case 'string': return `.AppendString(${quote(value.text)})`
    case 'number': return `.AppendNumber(${value.text})`
    case 'boolean': return `.AppendBool(${value.value})`
    case 'null': return '.AppendNull()'
  }
}
