package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/recount"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// State is the content of an account in the store: its databases, containers and items, and everything derived from
// them.
type State struct {
	Store             *store.Store
	Clock             *clock.Clock
	Log               *slog.Logger
	Pool              *budget.Pool
	PendingWrites     *lag.Overlay
	Random            Random
	maxPartitionBytes int64 // size in bytes from which a physical partition is split
	MinIndexedItems   int64 // number of items from which on queries create indexes in a container

	// whileServing runs a function of a timer, unless the service is closed.
	whileServing func(fn func())

	Catalog   Catalog
	ridCache  *ridCache // of the current content of the store: see Load
	logs      *changelog.Logs
	Expiry    *expiry.Queue // of items
	trimTimer expiry.Timer  // of versions: see versions.go

	BackupPeriod time.Duration      // of the continuous backup; 0: there is none
	BackupSince  changelog.Position // when it began

	counting *recount.Run // changed by Load and StopCounting only
}

// StateConfig configures a State.
type StateConfig struct {
	Store          *store.Store
	Clock          *clock.Clock
	Logger         *slog.Logger
	Pool           *budget.Pool  // nil: no limit
	PendingWrites  *lag.Overlay  // nil: replicas do not lag
	PartitionBytes int64         // maximum size of a physical partition; 0: 50 GB
	BackupPeriod   time.Duration // of the continuous backup; 0: there is none
	Seed           uint64
	WhileServing   func(fn func()) // runs fn unless the service is closed
}

// minIndexedItems is the number of items from which on queries create indexes: fewer items are scanned as fast.
const minIndexedItems = 16

// Now returns the emulator's time.
func (s *State) Now() time.Time { return s.Clock.Now() }

// Internal converts an error to a wire error, as Call.Internal does, without a call.
func (s *State) Internal(err error) *wire.Error {
	if err == nil {
		return nil
	}
	var own *wire.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, store.ErrConflict):
		return wire.RetryWith()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // the client is gone
		return wire.Unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // logged where it happened
		return wire.StorageUnavailable(text)
	}
	s.Log.Error("Cosmos DB: internal error of the emulator", "error", err)
	return wire.InternalError()
}

// Catalog holds all databases and containers. A change closes the gate changing for its whole duration, including the
// store transaction, and takes mu only to update the maps, so that lookups never wait for a change.
type Catalog struct {
	changing      *store.Gate
	mu            sync.RWMutex         // guards the fields below, which change only while changing is closed
	databases     map[string]*Database // by name
	byRID         map[string]*Database
	offers        map[string]*Offer // by the resource id of their database or container
	lastDatabase  uint32            // the highest number assigned so far
	lastContainer uint32
	lastOffer     uint32
}

// Database is a database. Its fields are guarded by the catalogue's lock.
type Database struct {
	number       uint32
	Name, RID    string
	ETag         string
	timestamp    int64
	ordinal      uint32                // the highest ordinal that one of its containers got
	containers   map[string]*Container // by name
	byRID        map[string]*Container
	sharedBudget *throughput.RateBudget // of the containers without throughput of their own; nil: none
}

// Container is a container. Only the atomic fields and Indexes change after it is created.
type Container struct {
	State     *State
	Database  *Database
	Number    uint32 // unique among all containers that ever existed; prefixes the keys of its content
	ordinal   uint32 // its number in the database, part of its resource id
	Name, RID string
	selfLink  string // its _self
	path      string // its path by names: dbs/<database>/colls/<container>
	altPath   string // the path as the header x-ms-alt-content-path has it
	Sequence  *sequence
	Log       *changelog.Log // of versions, for the change feed mode that keeps them
	History   *changelog.Log // with the images before changes; nil: there is no continuous backup
	Gate      *store.Gate    // closed to change definition, indexes or partitions; operations that use them pass it
	Deleted   atomic.Bool    // the container was deleted: operations on it fail with OwnerNotFound
	restoring atomic.Bool    // its items are being restored: it is hidden until all are there, see restore.go

	Definition atomic.Pointer[Definition]
	Indexes    index.Catalog
	partitions atomic.Pointer[[]*Partition] // in key order
	uncounted  atomic.Bool                  // the counts lack items from before a crash: see startCounting

	hasLongPartitions atomic.Bool // a logical partition proved too long to be listed: see AdvanceItemIndex
}

// Offer is the throughput of a database or container, as a resource. It is immutable: a replace creates another one,
// which takes its place in the catalogue.
type Offer struct {
	number     uint32
	rid        string
	parentRID  string // the resource id of the database or container
	parentLink string // its _self
	throughput.Provisioned
	highestRate int // the highest rate ever set: the minimum is a hundredth of it
	ETag        string
	timestamp   int64
}
