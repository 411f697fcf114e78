// Package httpapi calls a system as its users do: through its HTTP API, in this process. It keeps the last response,
// and has the steps about responses that all systems share.
package httpapi
