package cosmos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/expiry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config is what a Service needs. Store and Clock are the caller's, to be closed after the Service.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger // nil: nothing is logged
	// Keys are the account's master keys, in base64; without any, WellKnownKey alone.
	Keys []string
	// Region is the name of the account's one region; empty: South Central US.
	Region string
	// Consistency is the account's default consistency level; empty: Session.
	Consistency Consistency
	// Throttling refuses what is beyond the throughput of a container or of one of its physical partitions.
	Throttling bool
	// PartitionBytes is how much a physical partition may hold before it is split; 0: 50 GB, as the service's.
	PartitionBytes int64
	// News says what replicas have not heard of yet; nil where they know everything.
	News *lag.Overlay
	// Faults are the rules by which requests go wrong; nil for none.
	Faults *faults.Injector
	// Observers are told of each request once it is answered. They must be quick and safe for concurrent use.
	Observers []func(*telemetry.Event)
	// Pool is the memory that requests may hold together; nil is no bound.
	Pool *budget.Pool
	// Seed is what everything random comes from: etags, activity ids.
	Seed uint64
}

// Consistency is a consistency level.
type Consistency string

// The consistency levels, the strongest first.
const (
	Strong           Consistency = "Strong"
	BoundedStaleness Consistency = "BoundedStaleness"
	Session          Consistency = "Session"
	ConsistentPrefix Consistency = "ConsistentPrefix"
	Eventual         Consistency = "Eventual"
)

// Consistencies are all levels, the strongest first.
func Consistencies() []Consistency {
	return []Consistency{Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual}
}

// DefaultRegion is where an account is unless Config says otherwise.
const DefaultRegion = "South Central US"

// Service is the emulated Cosmos DB: one account. It is an http.Handler.
type Service struct {
	store       *store.Store
	clock       *clock.Clock
	log         *slog.Logger
	keys        [][]byte
	pages       *continuation.Codec // of continuation tokens
	signers     []*signer           // of the keys
	region      string
	consistency Consistency
	throttling  bool
	pool        *budget.Pool
	fullAt      int64 // bytes in a physical partition that are too many
	news        *lag.Overlay
	faults      *faults.Injector
	observers   []func(*telemetry.Event)
	random      chance
	indexFrom   int64 // items of a container from which on its queries make indexes

	// running is passed by each request, and closed by what replaces all of the state.
	running *store.Gate
	closed  bool // guarded by running
	// unloaded is set where databases could not be taken from a store whose content was replaced. It is guarded by running.
	unloaded bool

	catalog  catalog
	rids     *knownRIDs // of the store's content as it is: see load
	scripts  *script.Engine
	logs     *changelog.Logs
	expiry   *expiry.Queue // of items
	trimming expiry.Timer  // of versions: see versions.go
}

// New makes a Service of what is in the store. A key that is not base64 is an error.
func New(c Config) (*Service, error) {
	s := &Service{store: c.Store, clock: c.Clock, log: c.Logger, region: c.Region, consistency: c.Consistency,
		throttling: c.Throttling, fullAt: cmp.Or(c.PartitionBytes, maxPartitionBytes), news: c.News, indexFrom: minIndexed, faults: c.Faults, observers: c.Observers, pool: c.Pool, running: c.Store.NewGate()}
	s.catalog.changing = c.Store.NewGate()
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.region == "" {
		s.region = DefaultRegion
	}
	if s.consistency == "" {
		s.consistency = Session
	}
	if !slices.Contains(Consistencies(), s.consistency) {
		return nil, fmt.Errorf("there is no consistency level %q: use one of %v", s.consistency, Consistencies())
	}
	s.random.Seed(c.Seed)
	s.scripts = script.New(script.Config{Now: s.now, Random: s.random.Next, Pool: s.pool})
	if len(c.Keys) == 0 {
		c.Keys = []string{WellKnownKey}
	}
	for _, text := range c.Keys {
		key, err := ParseKey(text)
		if err != nil {
			return nil, fmt.Errorf("a key of Cosmos DB has to be base64, as tabletop and the portal show it: %w", err)
		}
		s.keys, s.signers = append(s.keys, key), append(s.signers, newSigner(key))
	}
	s.pages = continuation.NewCodec(s.keys[0])
	s.logs = changelog.New(s.store, s.clock)
	s.expiry = s.newExpiry()
	s.trimming.Clock, s.trimming.Fire = s.clock, s.trim
	return s, s.load()
}

// Replace lets the requests under way end, or gives up when ctx is done before they have. Then it calls with to replace the store's content, and takes databases and containers from
// it anew, while no request runs. An error of with leaves all as it was. Where they cannot be taken from the new content, every
// request is refused until a Replace that succeeds.
func (s *Service) Replace(ctx context.Context, with func() error) error {
	defer s.faults.Release()()
	if err := s.running.Close(ctx); err != nil {
		return fmt.Errorf("%w (%d of Cosmos DB)", err, s.running.Inside())
	}
	defer s.running.Open()
	if err := with(); err != nil {
		return err
	}
	s.stopTimers()
	err := s.reload()
	if s.unloaded = err != nil; s.unloaded {
		s.stopTimers()
	}
	return err
}

func (s *Service) reload() error {
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.load()
}

// serving reports whether requests may use what is in the store. The caller holds running.
func (s *Service) serving() bool { return !s.closed && !s.unloaded }

// whileServing runs what the clock asks for, unless the service is closed.
func (s *Service) whileServing(fn func()) {
	if s.running.Enter(context.Background()) != nil {
		return
	}
	defer s.running.Leave()
	if s.serving() {
		fn()
	}
}

func (s *Service) stopTimers() {
	s.expiry.Stop()
	s.trimming.Stop()
}

// load takes databases and containers from the store, and sets the timers of what is in them.
func (s *Service) load() error {
	s.rids = new(knownRIDs)
	if err := s.catalog.load(s); err != nil {
		return err
	}
	if err := s.scheduleTrimming(); err != nil {
		return err
	}
	return s.expiry.Schedule()
}

// Close lets the requests under way end and refuses others. The store stays open.
func (s *Service) Close() error {
	defer s.faults.Release()()
	if err := s.running.Close(context.Background()); err != nil {
		return err
	}
	defer s.running.Open()
	if s.closed {
		return errors.New("the service of Cosmos DB is closed")
	}
	s.closed = true
	s.stopTimers()
	if s.unloaded { // there are no counters to keep
		return nil
	}
	return s.catalog.saveCounters()
}

// now is the emulator's time.
func (s *Service) now() time.Time { return s.clock.Now() }
