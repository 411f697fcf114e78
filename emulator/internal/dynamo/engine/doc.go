// Package engine is the core of the DynamoDB service, below its operations.
//
// It holds accounts and their tables, the keys of items and of index entries, the change of an item with its
// conditions, indexes, change log and capacity, and the publication of a changed table. It knows no operation.
//
// Streams, backups and encryption are planes: they take part in changes of tables and keep state for each account, and
// the engine calls them through the Plane interface without knowing them by name.
//
// A request's input describes itself to policies, faults and the memory budget: the resources that it names
// (ResourceRef), its Traits and its PolicyValues.
package engine
