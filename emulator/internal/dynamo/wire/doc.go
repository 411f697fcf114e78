// Package wire is the form of DynamoDB's protocol: how the body of a request is decoded, which constraints its members
// must meet, how errors are worded, and how answers are written. It knows no table and no operation.
package wire
