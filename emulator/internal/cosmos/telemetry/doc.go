// Package telemetry is what the Cosmos DB service tells its observers: the requests that it answered, and what its
// containers have. Metrics import it instead of the service; it imports nothing of ours.
package telemetry
