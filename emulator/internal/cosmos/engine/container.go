package engine

import (
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Container is a container. Only Gone, Definition, Indexes and parts change after it is created.
type Container struct {
	State     *State
	Database  *Database
	Number    uint32 // unique among all containers that ever existed; prefixes the keys of its content
	ordinal   uint32 // its number in the database, part of its resource id
	Name, RID string
	selfLink  string // its _self
	path      string // its path by names: dbs/<database>/colls/<container>
	Sequence  *sequence
	Log       *changelog.Log // of versions, for the change feed mode that keeps them
	Gate      *store.Gate    // closed to change definition, indexes or partitions; operations that use them pass it
	Deleted   atomic.Bool    // the container was deleted: operations on it fail with OwnerNotFound

	Definition atomic.Pointer[Definition]
	Indexes    index.Catalog
	partitions atomic.Pointer[[]*Partition] // in key order
}

// SelfLink returns the _self of the container.
func (c *Container) SelfLink() string { return c.selfLink }

// Path returns the path of the container by names, as headers contain it.
func (c *Container) Path() string { return c.path }

// Resource returns the container as the service returns it.
func (c *Container) Resource() doc.Value {
	d := c.Definition.Load()
	v := d.Resource
	for _, m := range []doc.Member{
		{Name: "_rid", Value: doc.String(c.RID)},
		{Name: "_ts", Value: doc.Number(float64(d.Timestamp))},
		{Name: "_self", Value: doc.String(c.SelfLink())},
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

// record returns the stored form of the container with a definition.
func (c *Container) record(d *Definition) []byte { return c.recordWithPartitions(d, c.Partitions()) }

// recordWithPartitions is like record, with other physical partitions.
func (c *Container) recordWithPartitions(d *Definition, parts []*Partition) []byte {
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
	c := &Container{State: s, Database: d, Number: number, ordinal: ordinal,
		Name: def.Resource.Field("id").Str(), RID: wire.ContainerRID(d.number, ordinal), Sequence: q, Log: log,
		Gate: s.Store.NewGate()}
	c.Indexes.Building = s.Store.NewGate()
	c.selfLink, c.path = d.Link()+"colls/"+c.RID+"/", "dbs/"+d.Name+"/colls/"+c.Name
	c.Definition.Store(def)
	c.partitions.Store(&parts)
	return c, c.loadIndexes()
}
