// Package script runs the JavaScript of Azure Cosmos DB: stored procedures, triggers and user-defined functions, with
// the server-side API that Microsoft documents (https://azure.github.io/azure-cosmosdb-js-server). It knows nothing of
// HTTP or the store: a script accesses items only through a [Collection], which is one logical partition in one
// transaction. An execution has no other effects.
//
// # Limits
//
// Scripts run in a sandbox (package sandbox): QuickJS compiled to WebAssembly. An execution has at most MaxTime, on the
// machine's clock, and MaxMemory; limits.go lists all limits. Each execution has its own engine, whose memory is
// released when it ends. A script cannot access files, the network, the process, or other scripts.
//
// # Values
//
// Values are passed as JSON text. The host calls one function in the sandbox, that of prelude.js. A script calls the
// host through a mailbox of a few bytes (bridge.go). As in the service, operations of the collection are queued, and
// run when the script's current turn has ended.
package script
