// Package awsapi is what the servers of AWS's services share: they read bodies up to a limit, survive an operation that
// panics, give each answer an id, and answer alike what can happen to a request of any service.
//
// Whose resources a request is about is in package accounts, what is wrong with the members of a request in constraint.
package awsapi
