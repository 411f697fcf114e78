package cosmos

import (
	"context"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// queryResources answers a query over resources that are not items: databases, containers, offers and their like. All of it is
// one page.
func (c *call) queryResources(envelope, owner string, all []doc.Value) *Error {
	spec, err := c.querySpec()
	if err != nil {
		return err
	}
	program, problem := sql.Compile(spec.query, sql.Params{Values: spec.parameters, Env: builtin.Env{Now: c.s.now(), Random: c.s.random.next}})
	if problem != nil {
		return queryError(problem)
	}
	page, problem := program.Run(c.ctx(), &resources{all: all}, nil, sql.Options{})
	if problem != nil {
		return queryError(problem)
	}
	c.charge = chargeMetadataRead
	c.replyFeed(envelope, owner, page.Rows)
	return nil
}

// resources are the source of such a query.
type resources struct {
	all  []doc.Value
	next int
}

// Next implements sql.Source.
func (r *resources) Next(context.Context) (v doc.Value, at []byte, ok bool, err error) {
	if r.next == len(r.all) {
		return doc.Value{}, nil, false, nil
	}
	v = r.all[r.next]
	r.next++
	return v, binary.BigEndian.AppendUint64(nil, uint64(r.next)), true, nil
}

// queryDatabases runs a query over the account's databases.
func (c *call) queryDatabases() *Error {
	return c.queryResources("Databases", "", c.databaseResources())
}

// queryContainers runs a query over a database's containers.
func (c *call) queryContainers() *Error {
	return c.queryResources("DocumentCollections", c.database.rid, c.containerResources())
}

// queryOffers runs a query over the account's offers: how SDKs find the throughput of a database or container.
func (c *call) queryOffers() *Error {
	return c.queryResources("Offers", "", c.offerResources())
}
