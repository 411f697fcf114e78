package cosmos

import (
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// container is a container. All but its definition stays as it is.
type container struct {
	state     *state
	database  *database
	number    uint32 // of all containers that ever were: what it holds lies under it
	ordinal   uint32 // in its database: a part of its resource id
	name, rid string
	self      string // its _self
	names     string // it and its database by names
	sequence  *sequence
	log       *changelog.Log // of versions, where the container keeps them
	gate      *store.Gate    // passed by what goes by its definition, its indexes and its partitions, which change alone in it
	gone      atomic.Bool    // it was deleted: what runs on it finds no owner

	definition atomic.Pointer[definition]
	indexes    indexCatalogue
	parts      atomic.Pointer[[]*partition] // in the order of their keys
}

// definition is what a replace of the container may change. It does not change itself.
type definition struct {
	resource doc.Value // as the client gave it, with the service's defaults, without system properties
	etag     string
	ts       int64

	key      doc.PartitionKeyDefinition
	unique   []uniqueKey
	indexing *Policy
	computed map[string]*sql.Computed
	// defaultTTL is the life of items in seconds from their last write that have none of their own; noTTL: they live on, and
	// so do those that have; foreverTTL: they live on, but for those that have.
	defaultTTL int64
	retention  time.Duration // for which versions are kept; 0: none are
}

const (
	noTTL      = 0
	foreverTTL = -1
)

// link is the container's _self.
func (c *container) link() string { return c.self }

// path is the container by names, as headers have it.
func (c *container) path() string { return c.names }

// resource is the container as the service answers it.
func (c *container) resource() doc.Value {
	d := c.definition.Load()
	v := d.resource
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(c.rid)},
		{Name: "_ts", Value: doc.Number(float64(d.ts))},
		{Name: "_self", Value: doc.String(c.link())},
		{Name: "_etag", Value: doc.String(d.etag)},
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
func (c *container) record(d *definition) []byte { return c.recordWith(d, c.partitions()) }

// recordWith is record with other physical partitions.
func (c *container) recordWith(d *definition, parts []*partition) []byte {
	var ranges []doc.Value
	for _, p := range parts {
		ranges = append(ranges, p.record())
	}
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "database", Value: doc.String(c.database.rid)},
		doc.Member{Name: "ordinal", Value: doc.Number(float64(c.ordinal))},
		doc.Member{Name: "etag", Value: doc.String(d.etag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(d.ts))},
		doc.Member{Name: "definition", Value: d.resource},
		doc.Member{Name: "ranges", Value: doc.Array(ranges...)},
	))
}

// containerOf is a container as it was stored.
func containerOf(s *state, d *database, number uint32, v doc.Value) (*container, error) {
	def, problem := parseDefinition(v.Field("definition"))
	if problem != nil {
		return nil, problem
	}
	def.etag, def.ts = v.Field("etag").Str(), int64(v.Field("ts").Float())
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

func newContainer(s *state, d *database, number, ordinal uint32, def *definition, parts []*partition) (*container, error) {
	q, err := openSequence(s.store, number)
	if err != nil {
		return nil, err
	}
	log, err := s.logs.Open(number | logBit)
	if err != nil {
		return nil, err
	}
	c := &container{state: s, database: d, number: number, ordinal: ordinal,
		name: def.resource.Field("id").Str(), rid: containerRID(d.number, ordinal), sequence: q, log: log, gate: s.store.NewGate()}
	c.indexes.building = s.store.NewGate()
	c.self, c.names = d.link()+"colls/"+c.rid+"/", "dbs/"+d.name+"/colls/"+c.name
	c.definition.Store(def)
	c.parts.Store(&parts)
	return c, c.loadIndexes()
}
