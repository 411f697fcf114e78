// Package observe measures and traces a backend with OpenTelemetry: each request that it answers, each operation that
// it sends to DynamoDB or Cosmos DB, each push that it sends, and each round of its workers.
//
// Prometheus can scrape the metrics; they are also sent by OTLP when an endpoint is configured. Traces are sent by OTLP
// only. Names and units follow OpenTelemetry's semantic conventions 1.43: http.server.request.duration,
// db.client.operation.duration and http.client.request.duration, in seconds. The conventions define no metric for a
// round of a worker; it is tabletop.work.round.duration, in seconds.
//
// Clients cannot create time series: no label takes a value that a client chooses. Methods are those that HTTP defines,
// routes are the patterns that the backend serves, and tables are the backend's own. No request waits for a collector:
// what it does not accept in time is dropped, and logged once.
package observe
