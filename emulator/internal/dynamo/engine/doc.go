// Package engine is the core of the DynamoDB service, below its operations.
//
// It holds accounts and their tables, the keys of items and of index entries, the change of an item with its
// conditions, indexes, change log and capacity, and the publication of a changed table. It knows no operation.
//
// Streams, backups and encryption are extensions: they take part in changes of tables and keep state for each account,
// and the engine calls them through the Extension interface without knowing them by name.
//
// The files read from the top down, and none uses one above it: catalog.go and new_engine.go load and make an engine;
// publish.go changes a table, apply.go an item; expiry.go, index.go, record.go and meter.go are what follows from that;
// engine.go declares the types that refer to one another, and key.go and definition.go what those are made of.
//
// A request's input describes itself to policies, faults and the memory budget: the resources that it names
// (ResourceRef), its Traits and its PolicyValues.
package engine
