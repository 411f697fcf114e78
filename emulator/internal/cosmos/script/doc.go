// Package script runs the JavaScript of Azure Cosmos DB: stored procedures, triggers and user-defined functions, with
// the server-side API that Microsoft documents (https://azure.github.io/azure-cosmosdb-js-server). It knows neither
// HTTP nor the store: what a script does to items goes through a [Collection], which is one logical partition in one
// transaction. An execution has no effect but through it.
//
// # Limits
//
// Scripts run in a sandbox (package sandbox): QuickJS as WebAssembly. An execution has MaxTime of the machine's time
// and MaxMemory, whatever it does; limits.go has them all. Each has an engine of its own, whose memory is gone when it
// ends. A script has no way to files, the network, the process, or other scripts.
//
// # How values cross
//
// As JSON, in text. The host calls one function of the sandbox, that of prelude.js; a script calls the host through a
// mailbox of a few bytes (bridge.go). What it asks of the collection is queued and done when its turn is over, as in
// the service.
package script
