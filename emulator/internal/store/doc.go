// Package store keeps the emulator's state: ordered keys and values over Pebble, in memory or in a folder. It does not
// know tables and items; the packages above define what the bytes mean.
//
// # Writing
//
// [Store.Update] runs a function that reads and writes through a [Tx] and commits all of it in one batch, or nothing
// when the function returns an error or panics. The caller names the keys whose values the decision depends on. Their
// latches are held during the update, so two updates of one key run one after the other, and updates of different keys
// run concurrently. A Tx reads committed state: it does not see its own writes.
//
// Work that may take long, such as a client's script, runs in [Store.UpdateOptimistic]: on a snapshot, without latches.
// It commits only if nobody has changed what it depends on since.
//
// A [Gate] protects a definition that many updates use. They pass it concurrently; a change of the definition waits
// only for the updates inside, and only updates that need the gate wait for the change. [Store.Restore], [Store.Reset]
// and updates with zero [Latches] run alone in the whole store: they stop new updates, wait for the running ones, and
// hold nothing that those need in order to end.
//
// Locks are taken in the order running, definitions, latches, mutexes: the gate of a service ([Running]); the gate of
// its catalogue ([Definitions]); an update's latches, which are the store's gate, gates of definitions by their
// numbers, and keys by their hashes; then mutexes, such as a service's mu and those of this package, under which none
// of the former is taken. KMS, CloudWatch and identities hold a mutex of their own over updates, before latches;
// nothing that they call passes a gate of a service. With the tag poison, [LockRank] checks the order. Every wait for a
// gate, a key or a turn ends with its request, if [Store.UpdateContext] or UpdateOptimistic is given its context.
//
// # Reading
//
// [Store.Get] reads one key at the lowest cost: what was read lately comes from a cache that commits keep up to date.
// [Store.View] runs a function on one consistent snapshot.
//
// # Memory
//
// In memory the sorted tables lie outside the Go heap, so GOGC does not multiply them: 200,000 items of 400 bytes take
// 90 MB there. Up to 64 MB that compactions have freed are kept for the next ones, until nothing was written for half a
// second, or for five after a burst of writes. Memtables, filters and the cache of rows are on the heap: at most 32, 32
// and 16 MB, and the block cache. An empty store takes half a megabyte and opens in a millisecond. Close releases all
// memory; a store that is not closed keeps its memory until the process ends.
//
// # Durability and visibility
//
// A batch becomes visible to all readers at once, when it is applied. In a folder, Update then waits until the log is
// synced before it returns. The latches are released before that wait, so writers of one key share a sync like any
// others. A reader may therefore see a write that is not acknowledged yet, and that a power cut could still undo; it
// never sees half of one. The log is a sequence: if a write survives, so does everything that it was based on.
//
// # Backups
//
// [Store.BeginBackup] copies an open folder as of one moment into a folder beside the data, with links to the tables,
// and sends it as a stream that [Receive] turns into a folder. Nothing waits for it, and a write of the backup that the
// disk refuses does not affect the store.
//
// # Failure
//
// The first write or sync that the disk refuses stops the store for good: see [Failure]. The folder stays as it was at
// that moment. Every later update returns the failure at once. Reads continue if everything visible is on stable
// storage; otherwise [Store.Readable] and every read return the failure too, so that no client sees what a restart will
// not find. A damaged file stops only updates. Below [Options.MinFree], updates are refused until space is freed, and
// reads continue.
package store
