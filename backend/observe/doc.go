// Package observe measures and traces a backend by OpenTelemetry: each request that it answers, each operation that it
// asks of DynamoDB or Cosmos DB, each push that it sends and each round of its workers.
//
// Metrics are there for Prometheus to read, and are sent by OTLP where an endpoint is given; traces are sent by OTLP
// alone. Names and units are those of OpenTelemetry's semantic conventions 1.43: http.server.request.duration,
// db.client.operation.duration and http.client.request.duration, in seconds. A round of work, which the conventions do
// not know, is tabletop.work.round.duration.
//
// Nothing that a client sends becomes the value of a label, so that nobody can make up series: methods are those that
// HTTP knows, routes are the patterns that are served, and tables are the backend's own. Nobody waits for a collector:
// what it does not take in time is dropped, and said once.
package observe
