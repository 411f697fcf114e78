// Package wire records the requests of an SDK client to DynamoDB or Cosmos DB, and disturbs them if a test asks for it.
//
// A Recorder is a middleware of the client: it records each request as a Call whose expressions have their placeholders
// substituted, so that a documented access pattern can be compared with the actual requests. A Transport sits below the
// client and can drop the response to a request that the service has carried out.
package wire
