// Package telemetry is what the DynamoDB service tells its observers: the requests that it answered, and what its
// tables have. Metrics, cost and recordings import it instead of the service; it imports nothing of ours.
package telemetry
