// Package patch is the partial update of documents, as Azure Cosmos DB does it: up to ten operations in their order,
// all of which succeed or none, and a condition. It knows values only: neither items nor where they are kept.
//
// The operations are those of "Partial document update in Azure Cosmos DB" (Microsoft's documentation): add, set,
// replace, remove, incr and move. Paths are JSON Pointers (RFC 6901). What the documentation leaves open is as
// Microsoft's own model of the server has it (patch_eval.rs of the crate azure_data_cosmos_driver).
package patch
