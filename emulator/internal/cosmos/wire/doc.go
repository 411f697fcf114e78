// Package wire is what stands on the wire of Azure Cosmos DB: paths, resource ids, errors, answers and the values of
// headers. It knows neither the store nor net/http's requests.
package wire
