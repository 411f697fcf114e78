// Package usage measures what requests use of a database: the Meter watches a backend's DynamoDB client, and
// CosmosMeter its client of Cosmos DB, by kind of request (calls and their access paths, capacity and request units,
// the time that is not the database's). What is stored and where the load falls is measured before and after an attack.
package usage
