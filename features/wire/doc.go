// Package wire watches, and where a test asks for it disturbs, what an SDK client says to DynamoDB or Cosmos DB.
//
// A Recorder is a middleware of the client: it writes down each request as a Call whose expressions have their
// placeholders filled in, so that a documented access pattern can be compared with what was really asked.
// A Transport sits below the client and can lose the answer of a request that the service has carried out.
package wire
