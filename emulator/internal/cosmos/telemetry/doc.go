// Package telemetry defines what the Cosmos DB service reports to its observers: answered requests, and the throughput
// and size of its containers. Metrics import this package instead of the service; it imports no other package of the
// project.
package telemetry
