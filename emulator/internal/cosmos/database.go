package cosmos

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// database is a database. What is in it is guarded by the catalogue's lock.
type database struct {
	number     uint32
	name, rid  string
	etag       string
	ts         int64
	ordinal    uint32                // the highest that a container of it was given
	containers map[string]*container // by name
	byRID      map[string]*container
	budget     *rateBudget // of the containers that share its throughput; nil: it has none
}

// link is the database's _self.
func (d *database) link() string { return "dbs/" + d.rid + "/" }

// resource is the database as the service answers it.
func (d *database) resource() doc.Value {
	return doc.Object(
		doc.Member{Name: "id", Value: doc.String(d.name)},
		doc.Member{Name: "_rid", Value: doc.String(d.rid)},
		doc.Member{Name: "_self", Value: doc.String(d.link())},
		doc.Member{Name: "_etag", Value: doc.String(d.etag)},
		doc.Member{Name: "_colls", Value: doc.String("colls/")},
		doc.Member{Name: "_users", Value: doc.String("users/")},
		doc.Member{Name: "_ts", Value: doc.Number(float64(d.ts))},
	)
}

// record is the database as it is stored.
func (d *database) record() []byte {
	return doc.Append(nil, doc.Object(
		doc.Member{Name: "id", Value: doc.String(d.name)},
		doc.Member{Name: "etag", Value: doc.String(d.etag)},
		doc.Member{Name: "ts", Value: doc.Number(float64(d.ts))},
		doc.Member{Name: "ordinal", Value: doc.Number(float64(d.ordinal))},
	))
}

func databaseOf(number uint32, v doc.Value) *database {
	d := newDatabase(number, v.Field("id").Str())
	d.etag, d.ts, d.ordinal = v.Field("etag").Str(), int64(v.Field("ts").Float()), uint32(v.Field("ordinal").Float())
	return d
}

func newDatabase(number uint32, name string) *database {
	return &database{number: number, name: name, rid: databaseRID(number), containers: map[string]*container{}, byRID: map[string]*container{}}
}

func (d *database) find(id string) *container {
	if c := d.containers[id]; c != nil {
		return c
	}
	return d.byRID[id]
}

func (d *database) add(c *container) {
	d.containers[c.name], d.byRID[c.rid] = c, c
	d.ordinal = max(d.ordinal, c.ordinal)
}

func (d *database) remove(c *container) {
	delete(d.containers, c.name)
	delete(d.byRID, c.rid)
}
