// Package awsapi has what the servers of AWS's services share: they read bodies up to a limit, survive an operation
// that panics, give each response an id, write it, and convert failures that any service's requests can have.
//
// Package accounts determines the account of a request; package constraint checks the members of a request.
package awsapi
