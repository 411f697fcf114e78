package script

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Collection is the items that a script can access: those of one logical partition, in one transaction, which sees its
// own writes. Its methods return a *StatusError for a failure that the script may handle. Any other error ends the
// script and is the error of the execution.
type Collection interface {
	// SelfLink and AltLink return the container's links by resource ids and by names.
	SelfLink() string
	AltLink() string
	// Accepts reports whether another operation may be queued. If not, the script should finish.
	Accepts() bool
	// Quota returns the container's quota and its usage, as in the service's headers.
	Quota() (most, used string)
	// NewID returns an id for an item without one.
	NewID() string

	Create(body doc.Value, o Options) (doc.Value, error)
	Upsert(body doc.Value, o Options) (doc.Value, error)
	// Read returns undefined if the item's ETag matches Options.IfNoneMatch.
	Read(t Target, o Options) (doc.Value, error)
	Replace(t Target, body doc.Value, o Options) (doc.Value, error)
	Delete(t Target, o Options) error
	// List and Query return a page and, if there are more, a continuation.
	List(f Feed) ([]doc.Value, string, error)
	Query(query doc.Value, f Feed) ([]doc.Value, string, error)
}

// Target is the item that an operation addresses: by its resource id or, if that is empty, by its id.
type Target struct{ RID, ID string }

// Options are the options of an operation.
type Options struct {
	Etag        string // the ETag that the item must have; empty: any
	IfNoneMatch string
	IndexAction string
}

// Feed selects a page of a list.
type Feed struct {
	PageSize     int // -1: no limit
	Continuation string
	EnableScan   bool
	Time         time.Duration // that the script has left
}
