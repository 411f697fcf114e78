package engine

import (
	"context"
	"log/slog"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
	"github.com/tabletop-db/tabletop/emulator/internal/recount"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Now returns the time in seconds since 1970, to the millisecond.
func (s *Engine) Now() float64 { return math.Round(float64(s.Clock.Now().UnixMilli())) / 1000 }

// Engine holds the accounts with their tables, and everything that operations need to change them and their items. Its
// state is loaded from the store.
//
// Locks are taken in this order: Running, an account's DDL, the store's latches and gates, mu.
type Engine struct {
	EngineConfig
	Random random.Stream

	// Running is passed by every use of the state, and closed by whatever replaces all of it.
	Running *store.Gate
	Closed  bool // guarded by Running
	// LoadFailed is set when the store's content was replaced and the tables could not be loaded from it. Guarded by
	// Running.
	LoadFailed bool

	mu            sync.Mutex // guards Accounts and nextID
	Accounts      map[string]*Account
	SharedAccount atomic.Pointer[Account] // the one account where there is no isolation
	nextID        uint32

	Extensions    []Extension
	Scaling       AutoScaling // nil: nothing is scaled
	ChangeScaling ChangeScaling
	InFlight      *inFlight // nil: conflicting requests wait for each other
	Logs          *changelog.Logs
	Expiry        *expiry.Queue
	Retention     retention
	orphans       atomic.Bool // the order of expiry may have entries of dropped tables
	slots         tableSlots
	owners        map[string]*owner // guarded by mu
	replication   replicationTimer
	counting      *recount.Run       // changed by Load and Close only
	work          context.Context    // see WorkContext; guarded by mu
	cancelWork    context.CancelFunc // ends work; guarded by mu
	interruptions int                // calls of InterruptWork without their ResumeWork; guarded by mu
	retriesWork   atomic.Bool        // the timer of a retry of unfinished work is set

	LastTokenPurge atomic.Int64 // in which expired client request tokens were last deleted
}

// EngineConfig configures an engine. Fields that the service's Config also has mean the same.
type EngineConfig struct {
	Store           *store.Store
	Clock           *clock.Clock
	Log             *slog.Logger
	Spaces          accounts.Spaces
	AccountID       accounts.ID
	Address         string
	OnItemExpired   func(account, table string, at time.Time) // nil: not called
	OnTransitionEnd func()
	OnConsumption   func(account string, c telemetry.Consumption) // without a request; nil: not called
	// OnReplicatedWrite is called when a write reaches a replica in another region, or is throttled there. It may be nil.
	OnReplicatedWrite func(*telemetry.ReplicatedWrite)

	Throttling    bool
	PendingWrites *lag.Overlay
	States        bool
	Faults        *faults.Injector
	Pool          *budget.Pool
}

// Serving reports whether operations may use the tables. The caller holds Running.
func (s *Engine) Serving() bool { return !s.Closed && !s.LoadFailed }

// RunIfServing runs fn, which a timer or a KMS key started, unless the service is closed.
func (s *Engine) RunIfServing(fn func()) {
	if s.Running.Enter(context.Background()) != nil {
		return
	}
	defer s.Running.Leave()
	if s.Serving() {
		fn()
	}
}

// SortStepsPerName is the number of budget steps for sorting one name of a listing.
const SortStepsPerName = 16

// LogPanic ends a panic of a goroutine of the service's own, which would end the process, and logs it. It takes effect
// only if it is deferred itself.
func (s *Engine) LogPanic(message string) {
	if reason := recover(); reason != nil {
		s.Log.Error(message, "panic", reason, "stack", string(debug.Stack()))
	}
}

// Account is a namespace of tables. Without isolation there is only one.
type Account struct {
	Engine *Engine
	Name   string
	// DDL is closed by one definition change at a time; taken after Running and before latches. The accounts of one owner
	// in several regions share it.
	DDL             *store.Gate
	Tables          atomic.Pointer[map[string]*Table]
	extensionStates []ExtensionState // per-account state of the extensions
	forgotten       bool             // it was registered once, and is not any more; guarded by Engine.mu
}

// Table is a table as item operations need it. It is immutable except for its counts: a change of the definition makes
// another Table and marks this one stale.
type Table struct {
	Def          *Definition
	Keys         KeySchema
	Indexes      []*Index // global ones first, each kind in the order of the definition
	Vectors      []*VectorIndex
	Stats        *Stats
	Availability availability // nil: always available
	stale        atomic.Bool
	Gate         *store.Gate // passed by writes of its items
	replicas     *replicas   // in other regions; nil: none
	// Log records its changes, nil if it has neither a stream nor point-in-time recovery; images is what the log
	// records.
	Log           *changelog.Log
	logImages     logImages
	pendingWrites *lag.Overlay // of its writes; nil if reads never lag

	Policy, StreamPolicy *iam.Policy // nil: none
}

// Index is a secondary index.
type Index struct {
	Name  string
	ID    uint32
	Local bool
	Keys  KeySchema
	// ProjectsAll means that every attribute is projected; otherwise Attributes lists the projected ones, keys
	// included.
	ProjectsAll bool
	Attributes  []string
	// PageKey is the names of the attributes that identify an entry: the key of the table, then that of the index.
	PageKey []string
	// Backfilling means that items older than the index are still being entered.
	Backfilling bool
	Stats       *Stats
}

// Stats counts what a table or an index holds, and measures its traffic.
type Stats struct {
	Items, Bytes atomic.Int64
	uncounted    atomic.Bool        // the counts lack items from before a crash: see startCounting
	Meter        *capacity.Resource // nil for a local index, which uses the table's
}

// Counts returns the number of items and their size in bytes. While they are counted after a crash, the numbers are too
// low.
func (s *Stats) Counts() (items, bytes int64) {
	return max(0, s.Items.Load()), max(0, s.Bytes.Load())
}

// MayHaveItems reports whether there are items, or may be because they are still being counted.
func (s *Stats) MayHaveItems() bool { return s.Items.Load() > 0 || s.uncounted.Load() }

// Add adds to the counts.
func (s *Stats) Add(items, bytes int64) {
	if items != 0 {
		s.Items.Add(items)
	}
	if bytes != 0 {
		s.Bytes.Add(bytes)
	}
}

// addOnCommit counts an entry of some bytes that tx writes, once it is committed.
func (s *Stats) addOnCommit(tx *store.Tx, bytes int) { tx.OnCommit(func() { s.Add(1, int64(bytes)) }) }

// tableSlots are the slots of tables, by table id. Writes of items pass their table's gate; a change of the table's
// definition, of all its index entries, or of its streams closes it. So such a change waits for writes of its own table
// only, and only those wait for it.
type tableSlots struct {
	mu  sync.Mutex
	all map[uint32]*tableSlot
}

// retention is the one removal timer. It is set while anything is left to remove.
type retention struct {
	mu     sync.Mutex
	cancel func() // nil where no timer is set
}

// availability is whether the items of a table can be read and written. Items of a table that is encrypted by a KMS key
// are unavailable while the key cannot be used.
type availability interface {
	// Err returns the error for item requests, nil while the items are available.
	Err() error
	// Unavailable reports whether item requests fail.
	Unavailable() bool
	// Locked reports whether no one, including the service itself, can read the items.
	Locked() bool
}

// Extension is a part of the service that follows changes of tables: streams, backups, encryption. The engine knows
// none of them by name.
type Extension interface {
	// NewState returns the extension's state for a new account; nil if it keeps none.
	NewState() ExtensionState
	// PrepareChange prepares a change of a table: from is nil for a new table, to is nil for a dropped one. The
	// account's DDL is closed.
	PrepareChange(a *Account, from, to *Table) (Writes, error)
	// BeforeTablesLoad loads what tables need from the store, before any table is loaded. No operation runs during
	// loading.
	BeforeTablesLoad() error
	// TableLoaded is called with each table that was loaded from the store.
	TableLoaded(t *Table)
	// AfterTablesLoad loads the rest from the store, after all tables.
	AfterTablesLoad() error
	// RemoveExpired removes the account's data that can no longer be read, and returns when more can be removed; zero if
	// nothing is left to remove. The account's DDL is closed.
	RemoveExpired(a *Account) (next time.Time, err error)
	// ExtendLogRetention raises, in periods, the retention periods of those logs of the account that the extension reads.
	ExtendLogRetention(a *Account, periods map[*changelog.Log]time.Duration)
	// Stop stops the extension's timers.
	Stop()
}

// Writes makes an extension's writes in the transaction that changes a table, while the table's gate is closed. It runs
// before the definition is written, and may change it. What it changes in memory must wait for [store.Tx.OnCommit]: the
// commit can fail. Nil writes nothing.
type Writes func(tx *store.Tx) error

// ExtensionState is an extension's state for one account.
type ExtensionState interface {
	// Empty reports whether there is no state; an account that is entirely empty is forgotten. The account's DDL is
	// closed.
	Empty() bool
}

// NewEngine returns an engine without any account. With conflicts, requests that conflict on an item are refused. seed
// seeds all randomness.
func NewEngine(c EngineConfig, refuseConflicts bool, seed uint64) *Engine {
	s := &Engine{EngineConfig: c, Running: c.Store.NewGate().Ranked(store.Running), Logs: changelog.New(c.Store, c.Clock)}
	if refuseConflicts {
		s.InFlight = newInFlight()
	}
	s.Random.Seed(seed)
	s.Expiry = s.newExpiry()
	s.work, s.cancelWork = context.WithCancel(context.Background())
	return s
}
