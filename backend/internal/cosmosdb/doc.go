// Package cosmosdb is the layer over azcosmos that the systems on Azure Cosmos DB share: a container with the retries
// that the SDK leaves to its caller, session tokens, errors that name a remedy, paged queries, the change feed, and a
// meter of request units.
package cosmosdb
