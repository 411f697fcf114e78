// Package httpapi is how the scenarios of a system use it: over its HTTP API, in this process, as its users do. It
// keeps the last answer and has the sentences about answers that all systems share.
package httpapi
