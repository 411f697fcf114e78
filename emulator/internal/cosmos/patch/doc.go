// Package patch implements the partial document update of Azure Cosmos DB: up to ten operations, which are applied in
// order and atomically, and an optional condition. It works on values and knows nothing of items or the store.
//
// The operations are those of "Partial document update in Azure Cosmos DB" (Microsoft's documentation): add, set,
// replace, remove, incr and move. Paths are JSON Pointers (RFC 6901). Where the documentation is silent, the package
// follows Microsoft's own model of the server (patch_eval.rs of the crate azure_data_cosmos_driver).
package patch
