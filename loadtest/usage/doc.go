// Package usage measures what requests consume of a database, by kind of request: calls and their access paths,
// capacity units and request units, and the time that is not the database's. Meter watches a backend's DynamoDB client,
// and CosmosMeter its Cosmos DB client. The package also measures the stored data and the load by partition, before and
// after an attack.
package usage
