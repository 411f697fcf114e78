// Package wire is DynamoDB's protocol without HTTP: decoding of request bodies, constraints on members, error types and
// messages, and the JSON of responses. It knows no table and no operation.
package wire
