package script

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// Collection is what a script may do to items: to those of one logical partition, in one transaction, which sees its
// own writes. Its methods give a *StatusError where the script may handle what failed; any other error ends the script
// and is what the execution gives.
type Collection interface {
	// SelfLink and AltLink are the container's links by resource ids and by names.
	SelfLink() string
	AltLink() string
	// Accepts says that another operation may be queued; false: the script is to come to its end.
	Accepts() bool
	// Quota says how much the container may hold, and how much it holds, as the service's headers have it.
	Quota() (most, used string)
	// NewID is an id for an item that has none.
	NewID() string

	Create(body doc.Value, o Options) (doc.Value, error)
	Upsert(body doc.Value, o Options) (doc.Value, error)
	// Read gives undefined where the item has the etag of Options.IfNoneMatch.
	Read(t Target, o Options) (doc.Value, error)
	Replace(t Target, body doc.Value, o Options) (doc.Value, error)
	Delete(t Target, o Options) error
	// List and Query give a page and, where there is more, a continuation.
	List(f Feed) ([]doc.Value, string, error)
	Query(query doc.Value, f Feed) ([]doc.Value, string, error)
}

// Target is the item that an operation is about: by its resource id, or by its id where that is empty.
type Target struct{ RID, ID string }

// Options are conditions of an operation.
type Options struct {
	Etag        string // the item must have it; empty: whatever it has
	IfNoneMatch string
	IndexAction string
}

// Feed is which page of a list is wanted.
type Feed struct {
	PageSize     int // -1: as many as there are
	Continuation string
	EnableScan   bool
}
