// Package script runs the JavaScript of Azure Cosmos DB: stored procedures, triggers and user-defined functions, with the
// server-side API that Microsoft documents (https://azure.github.io/azure-cosmosdb-js-server). It knows neither HTTP nor the
// store: what a script does to items goes through a [Collection], which is one logical partition in one transaction.
//
// # Limits
//
// A script has MaxTime of the machine's time, the source MaxSource, the answer MaxResponse, the stack MaxCalls. Memory is
// bounded in two ways, for the engine (goja) counts none: a watchdog interrupts a script under which the live heap of the
// process has grown by MaxGrowth; and the built-in functions of which a single call could take any time or memory, such as
// "x".repeat(1e9), [].fill on a length of 4e9, JSON.stringify of an array that is in itself a thousand times, are replaced
// by ones that refuse it (guard.go, stringify.go, guard.js). What makes code of text (eval, Function) and what has no bound
// at all (BigInt) is not there. A script has no way to files, the network, the process, or other scripts.
package script
