// Package wire provides what Azure Cosmos DB clients see: paths, resource ids, errors, responses and header values. It
// depends neither on the store nor on the requests of net/http.
package wire
