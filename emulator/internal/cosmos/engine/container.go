package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// SelfLink returns the _self of the container.
func (c *Container) SelfLink() string { return c.selfLink }

// Path returns the path of the container by names.
func (c *Container) Path() string { return c.path }

// AltContentPath returns the path of the container by names as the header x-ms-alt-content-path contains it.
func (c *Container) AltContentPath() string { return c.altPath }

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
	v := c.stored(d, parts)
	if c.restoring.Load() {
		v = v.With(restoringMark, doc.Bool(true))
	}
	return doc.Append(nil, v)
}

// stored returns the stored form of the container when it is not being restored.
func (c *Container) stored(d *Definition, parts []*Partition) doc.Value {
	var ranges []doc.Value
	for _, p := range parts {
		ranges = append(ranges, p.record())
	}
	return doc.Object(
		doc.Member{Name: "database", Value: doc.String(c.Database.RID)},
		doc.Member{Name: "ordinal", Value: doc.Number(float64(c.ordinal))},
		doc.Member{Name: "etag", Value: doc.String(d.ETag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(d.Timestamp))},
		doc.Member{Name: "definition", Value: d.Resource},
		doc.Member{Name: "ranges", Value: doc.Array(ranges...)},
	)
}
