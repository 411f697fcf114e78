package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Link returns the _self of the database.
func (d *Database) Link() string { return "dbs/" + d.RID + "/" }

// Resource returns the database as the service returns it.
func (d *Database) Resource() doc.Value {
	return doc.Object(
		doc.Member{Name: "id", Value: doc.String(d.Name)},
		doc.Member{Name: "_rid", Value: doc.String(d.RID)},
		doc.Member{Name: "_self", Value: doc.String(d.Link())},
		doc.Member{Name: "_etag", Value: doc.String(d.ETag)},
		doc.Member{Name: "_colls", Value: doc.String("colls/")},
		doc.Member{Name: "_users", Value: doc.String("users/")},
		doc.Member{Name: "_ts", Value: doc.Number(float64(d.timestamp))},
	)
}

// Key returns the key of the database in the store. Latch it to change the database's users and their permissions.
func (d *Database) Key() []byte { return numberedMetaKey(metaDatabase, d.number) }

// Exists reports whether neither the database nor a user of it, unless nil, was deleted since they were read.
func (d *Database) Exists(r *store.Reader, user *ChildResource) (bool, error) {
	if _, ok, err := r.Get(d.Key()); !ok || user == nil {
		return ok, err
	}
	current, err := d.Users().ByID(r, user.ID)
	return current != nil && current.Number == user.Number, err
}

// record returns the stored form of the database.
func (d *Database) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "id", Value: doc.String(d.Name)},
		doc.Member{Name: "etag", Value: doc.String(d.ETag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(d.timestamp))},
		doc.Member{Name: "ordinal", Value: doc.Number(float64(d.ordinal))},
	))
}

func parseDatabase(number uint32, v doc.Value) *Database {
	d := newDatabase(number, v.Field("id").Str())
	d.ETag, d.timestamp, d.ordinal = v.Field("etag").Str(), int64(v.Field("ts").Float()),
		uint32(v.Field("ordinal").Float())
	return d
}

// newDatabase returns a database without containers.
func newDatabase(number uint32, name string) *Database {
	return &Database{number: number, Name: name, RID: wire.DatabaseRID(number), containers: map[string]*Container{},
		byRID: map[string]*Container{}}
}

func (d *Database) findContainer(id string) *Container {
	if c := d.containers[id]; c != nil {
		return c
	}
	return d.byRID[id]
}

func (d *Database) add(c *Container) {
	d.containers[c.Name], d.byRID[c.RID] = c, c
	d.ordinal = max(d.ordinal, c.ordinal)
}

func (d *Database) remove(c *Container) {
	delete(d.containers, c.Name)
	delete(d.byRID, c.RID)
}
