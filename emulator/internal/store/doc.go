// Package store keeps the emulator's state: ordered keys and values over Pebble, in memory or in a folder.
// It knows nothing of tables and items; the layers above give the bytes their meaning.
//
// # Writing
//
// [Store.Update] runs a function that reads and writes through a [Tx] and commits all of it in one batch, or nothing
// when the function returns an error or panics. The caller names the keys whose values the decision depends on; they
// are latched for the duration, so two updates of one key run one after the other and updates of different keys side by
// side. A Tx reads committed state: it does not see its own writes.
//
// What may take long, such as a script that a client wrote, runs in [Store.UpdateOptimistic]: on a snapshot, with
// nothing latched, and is committed where nobody has changed meanwhile what it depends on.
//
// A [Gate] stands for a definition that many updates go by. They pass it together; a change of the definition waits for
// those inside and for nobody else, and only those who want in wait for it. [Store.Restore], [Store.Reset] and the zero
// [Latches] run alone in the whole store: they let nobody new begin, wait for what runs, and hold nothing that another
// one needs to end.
//
// The order of locks is running, definitions, latches, mutexes: the gate of a service ([Running]); the gate of its
// catalogue ([Definitions]); an update's latches, which are the store's gate, gates of definitions by their numbers,
// and keys by their hashes; mutexes that nobody holds over any of these, such as a service's mu, and those inside this
// package. KMS, CloudWatch and identities hold a mutex of their own over updates, before latches: nothing that they
// call passes a gate of a service. With the tag poison [LockRank] is checked. Every wait for a gate, a key or a turn
// ends with its request, where [Store.UpdateContext] or UpdateOptimistic is given one.
//
// # Reading
//
// [Store.Get] reads one key at the least cost. [Store.View] runs a function on one consistent snapshot.
//
// # Memory
//
// In memory the sorted tables lie outside the Go heap, so GOGC does not multiply them: 200,000 items of 400 bytes take
// about 150 MB. An empty store takes half a megabyte and opens in a millisecond. Close gives everything back; a store
// that is dropped without it keeps its memory until the process ends.
//
// # Durability and visibility
//
// A batch becomes visible to every reader at once, when it is applied; in a folder Update then waits until the log is
// synced, and only then returns. The latches are released before the wait, so writers of one key share a sync like any
// others. A reader may therefore see a write that its writer has not been told of yet, and which a power cut could
// still undo; it can never see half of one. The log is a sequence: when a write survives, so does all that it was based
// on.
//
// # Backups
//
// [Store.BeginBackup] copies an open folder as of one moment into a folder beside the data, tables by links, and sends
// it as a stream that [Receive] makes a folder. Nothing waits for it, and what the disk refuses of it does not concern
// the store.
//
// # Failure
//
// The first write or sync that the disk refuses stops the store for good: see [Failure]. The folder stays as it was at
// that moment. Every later update returns the failure at once. Reads go on when everything visible is on stable
// storage; else [Store.Readable] and every read return the failure too, so that nobody is told what a restart will not
// find. A damaged file stops updates alone. Below [Options.MinFree] updates are refused until there is space again, and
// reads go on.
package store
