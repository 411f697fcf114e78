// Package cosmosdb is what the systems on Azure Cosmos DB share above azcosmos: one container with the retries that the
// SDK leaves to its caller, errors that say what to do, queries page by page, and what it all cost in request units.
package cosmosdb
