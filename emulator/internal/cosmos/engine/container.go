package engine

import (
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Container is a container. All but its definition stays as it is.
type Container struct {
	State     *State
	Database  *Database
	Number    uint32 // of all containers that ever were: what it holds lies under it
	ordinal   uint32 // in its database: a part of its resource id
	Name, RID string
	self      string // its _self
	names     string // it and its database by names
	Sequence  *sequence
	Log       *changelog.Log // of versions, where the container keeps them
	Gate      *store.Gate    // passed by what goes by its definition, its indexes and its partitions, which change alone in it
	Gone      atomic.Bool    // it was deleted: what runs on it finds no owner

	Definition atomic.Pointer[Definition]
	Indexes    index.Catalog
	parts      atomic.Pointer[[]*Partition] // in the order of their keys
}

// Definition is what a replace of the container may change. It does not change itself.
type Definition struct {
	Resource  doc.Value // as the client gave it, with the service's defaults, without system properties
	ETag      string
	Timestamp int64

	Key      doc.PartitionKeyDefinition
	unique   []uniqueKey
	Indexing *index.Policy
	Computed map[string]*sql.Computed
	// DefaultTTL is the life of items in seconds from their last write that have none of their own; NoTTL: they live
	// on, and so do those that have; foreverTTL: they live on, but for those that have.
	DefaultTTL int64
	Retention  time.Duration // for which versions are kept; 0: none are
}

const (
	NoTTL      = 0
	foreverTTL = -1
)

// Link is the container's _self.
func (c *Container) Link() string { return c.self }

// Path is the container by names, as headers have it.
func (c *Container) Path() string { return c.names }

// Resource is the container as the service answers it.
func (c *Container) Resource() doc.Value {
	d := c.Definition.Load()
	v := d.Resource
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(c.RID)},
		{Name: "_ts", Value: doc.Number(float64(d.Timestamp))},
		{Name: "_self", Value: doc.String(c.Link())},
		{Name: "_etag", Value: doc.String(d.ETag)},
		{Name: "_docs", Value: doc.String("docs/")},
		{Name: "_sprocs", Value: doc.String("sprocs/")},
		{Name: "_triggers", Value: doc.String("triggers/")},
		{Name: "_udfs", Value: doc.String("udfs/")},
		{Name: "_conflicts", Value: doc.String("conflicts/")},
	} {
		v = v.With(m.Name, m.Value)
	}
	return v
}

// record is the container, with a definition, as it is stored.
func (c *Container) record(d *Definition) []byte { return c.recordWith(d, c.Partitions()) }

// recordWith is record with other physical partitions.
func (c *Container) recordWith(d *Definition, parts []*Partition) []byte {
	var ranges []doc.Value
	for _, p := range parts {
		ranges = append(ranges, p.record())
	}
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "database", Value: doc.String(c.Database.RID)},
		doc.Member{Name: "ordinal", Value: doc.Number(float64(c.ordinal))},
		doc.Member{Name: "etag", Value: doc.String(d.ETag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(d.Timestamp))},
		doc.Member{Name: "definition", Value: d.Resource},
		doc.Member{Name: "ranges", Value: doc.Array(ranges...)},
	))
}

// containerOf is a container as it was stored.
func containerOf(s *State, d *Database, number uint32, v doc.Value) (*Container, error) {
	def := storedDefinition(v.Field("definition"))
	def.ETag, def.Timestamp = v.Field("etag").Str(), int64(v.Field("ts").Float())
	parts, err := partitionsOf(v.Field("ranges").Elements())
	if err != nil {
		return nil, err
	}
	c, err := newContainer(s, d, number, uint32(v.Field("ordinal").Float()), def, parts)
	if err != nil {
		return nil, err
	}
	return c, c.countItems()
}

// newContainer makes a container of its definition and partitions; Catalog knows it only once it is added.
func newContainer(s *State, d *Database, number, ordinal uint32, def *Definition, parts []*Partition) (*Container, error) {
	q, err := openSequence(s.Store, number)
	if err != nil {
		return nil, err
	}
	log, err := s.logs.Open(number | logBit)
	if err != nil {
		return nil, err
	}
	c := &Container{State: s, Database: d, Number: number, ordinal: ordinal,
		Name: def.Resource.Field("id").Str(), RID: wire.ContainerRID(d.number, ordinal), Sequence: q, Log: log, Gate: s.Store.NewGate()}
	c.Indexes.Building = s.Store.NewGate()
	c.self, c.names = d.Link()+"colls/"+c.RID+"/", "dbs/"+d.Name+"/colls/"+c.Name
	c.Definition.Store(def)
	c.parts.Store(&parts)
	return c, c.loadIndexes()
}
