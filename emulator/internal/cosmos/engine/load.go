package engine

import (
	"cmp"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// NewState returns the state of an account. Load reads its content.
func NewState(c *StateConfig) *State {
	s := &State{Store: c.Store, Clock: c.Clock, Log: c.Logger, Pool: c.Pool, PendingWrites: c.PendingWrites,
		maxPartitionBytes: cmp.Or(c.PartitionBytes, throughput.MaxPartitionBytes), MinIndexedItems: minIndexedItems,
		whileServing: c.WhileServing, BackupPeriod: c.BackupPeriod}
	s.Catalog.changing = c.Store.NewGate().Ranked(store.Definitions)
	s.Random.Seed(c.Seed)
	s.logs = changelog.New(s.Store, s.Clock)
	s.Expiry = s.newExpiry()
	s.trimTimer.Clock, s.trimTimer.Fire = s.Clock, s.trim
	return s
}

// Reload reads the state from a store whose content was replaced.
func (s *State) Reload() error {
	if err := s.logs.Reload(); err != nil {
		return err
	}
	return s.Load()
}

// Load reads databases and containers from the store and sets the timers for their items.
func (s *State) Load() error {
	s.StopCounting()
	s.ridCache = new(ridCache)
	if err := s.loadBackup(); err != nil {
		return err
	}
	if err := s.Catalog.load(s); err != nil {
		return err
	}
	s.continueRandom()
	if err := s.dropUnfinishedRestores(); err != nil {
		return err
	}
	if err := s.startCounting(); err != nil {
		return err
	}
	if err := s.scheduleTrimming(); err != nil {
		return err
	}
	return s.Expiry.Schedule()
}

// continueRandom makes the random stream another one than that of earlier processes, or of where a snapshot is from: a
// repeated ETag would let a conditional write replace what its client has not read. The time differs, and on a clock
// that stands still the LSNs and the highest numbers: every write of an item takes an LSN, every new container a
// number, and none is taken twice. A new account keeps its stream.
func (s *State) continueRandom() {
	catalog := &s.Catalog
	if catalog.lastDatabase == 0 {
		return
	}
	seed := random.Mix(s.Random.State() ^ uint64(s.Clock.Now().UnixNano()))
	seed = random.Mix(seed ^ uint64(catalog.lastDatabase)<<32 ^ uint64(catalog.lastContainer))
	for _, d := range catalog.Databases() {
		for _, c := range catalog.allContainers(d) {
			seed = random.Mix(seed ^ c.Sequence.Last())
		}
	}
	s.Random.Seed(seed)
}

// StopTimers stops the timers for expiring items and versions.
func (s *State) StopTimers() {
	s.Expiry.Stop()
	s.trimTimer.Stop()
}

// load reads the catalogue from the store.
func (c *Catalog) load(s *State) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.databases, c.byRID = map[string]*Database{}, map[string]*Database{}
	c.offers = map[string]*Offer{}
	unregisterNames(s.Store.Names())
	c.lastDatabase, c.lastContainer, c.lastOffer = 0, 0, 0
	err := s.Store.View(func(r *store.Reader) error {
		if err := eachMeta(r, metaDatabase, func(number uint32, v doc.Value) error {
			c.add(parseDatabase(number, v))
			return nil
		}); err != nil {
			return err
		}
		if err := eachMeta(r, metaOffer, func(number uint32, v doc.Value) error {
			c.addOffer(parseOffer(number, v))
			return nil
		}); err != nil {
			return err
		}
		if err := eachMeta(r, metaContainer, func(number uint32, v doc.Value) error {
			return c.loadContainer(s, number, v)
		}); err != nil {
			return err
		}
		return c.loadHighest(r)
	})
	for _, d := range c.databases {
		for _, container := range d.containers {
			c.distributeThroughput(container)
		}
	}
	return err
}

func (c *Catalog) loadContainer(s *State, number uint32, v doc.Value) error {
	d := c.byRID[v.Field("database").Str()]
	if d == nil {
		return fmt.Errorf("container %d in the store has no database", number)
	}
	container, err := parseContainer(s, d, number, v)
	if err != nil {
		return err
	}
	d.add(container)
	registerContainerName(s.Store.Names(), number, d.Name, container.Name)
	c.lastContainer = max(c.lastContainer, number)
	return nil
}

// parseContainer returns the container that a stored form describes.
func parseContainer(s *State, d *Database, number uint32, v doc.Value) (*Container, error) {
	def := storedDefinition(v.Field("definition"))
	def.ETag, def.Timestamp = v.Field("etag").Str(), int64(v.Field("ts").Float())
	parts, err := parsePartitions(v.Field("ranges").Elements())
	if err != nil {
		return nil, err
	}
	c, err := newContainer(s, d, number, uint32(v.Field("ordinal").Float()), def, parts)
	if err != nil {
		return nil, err
	}
	c.restoring.Store(v.Field(restoringMark).IsTrue())
	return c, c.loadCounters()
}

// newContainer returns a container with a definition and partitions. The caller adds it to the Catalog.
func newContainer(s *State, d *Database, number, ordinal uint32, def *Definition, parts []*Partition) (*Container,
	error) {
	q, err := openSequence(s.Store, number)
	if err != nil {
		return nil, err
	}
	log, err := s.logs.Open(number | logBit)
	if err != nil {
		return nil, err
	}
	history, err := s.openHistory(number)
	if err != nil {
		return nil, err
	}
	c := &Container{State: s, Database: d, Number: number, ordinal: ordinal,
		Name: def.Resource.Field("id").Str(), RID: wire.ContainerRID(d.number, ordinal), Sequence: q, Log: log,
		History: history, Gate: s.Store.NewGate()}
	c.Indexes.Building = s.Store.NewGate()
	c.selfLink, c.path = d.Link()+"colls/"+c.RID+"/", "dbs/"+d.Name+"/colls/"+c.Name
	c.altPath = wire.AltContentPath(d.Name, c.Name)
	c.Definition.Store(def)
	c.partitions.Store(&parts)
	return c, c.loadIndexes()
}
