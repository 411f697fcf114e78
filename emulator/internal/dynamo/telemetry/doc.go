// Package telemetry is what the DynamoDB service reports to its observers: the requests that it answered, and the sizes
// and capacity of its tables. Metrics, cost and recordings import it instead of the service; it imports nothing of the
// project.
package telemetry
