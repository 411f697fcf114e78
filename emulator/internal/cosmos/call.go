package cosmos

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// call is one request while it is answered.
type call struct {
	s         *Service
	r         *http.Request
	route     route
	body      []byte
	operation string
	began     time.Time // on the machine's clock
	took      time.Duration
	room      *room
	work      *budget.Budget  // of a page of a feed, by which long requests take turns; nil: it makes none
	hold      *budget.Account // what the request and its answer take of the memory of all requests

	grant     *grant // of the request's resource token; nil: it has none
	database  *database
	container *container

	verdict  faults.Verdict
	replica  lag.Replica  // that answers a read
	moment   lag.Moment   // that it shows, once it is looked at
	pinnedAs lag.Replica  // whose moment it is
	seen     uint64       // the highest LSN that the client's session knows
	doubles  bool         // a read that meets several replicas costs twice
	cut      bool         // the answer is lost
	spends   []*partition // whose throughput pays for the request
	charge   float64      // in request units
	out      response
}

func (c *call) ctx() context.Context { return c.r.Context() }

// head is the value of a request's header, whose name is as net/http has it; empty where it is not sent.
func (c *call) head(name string) string {
	if values := c.r.Header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// flag is whether a header says true, in whatever case SDKs write it.
func (c *call) flag(name string) bool { return strings.EqualFold(c.head(name), "true") }

// json is the body as JSON, in text or binary form.
func (c *call) json() (doc.Value, *Error) {
	defer c.takeTurn().Close()
	v, err := doc.ParseAny(c.body)
	if err != nil {
		return doc.Value{}, invalidJSON(err)
	}
	return v, nil
}

// object is the body as a JSON object.
func (c *call) object() (doc.Value, *Error) {
	v, err := c.json()
	if err == nil && v.Kind() != doc.Map {
		return v, invalidInput("The request body must be a JSON object.")
	}
	return v, err
}

func invalidJSON(err error) *Error {
	return badRequest("The request payload is invalid. Ensure to provide a valid request payload. (%s)", err)
}

// findDatabase finds the database that the path begins with.
func (c *call) findDatabase() *Error {
	if c.database = c.s.catalog.database(c.route.id(0)); c.database != nil {
		return nil
	}
	if c.route.kind == kindDatabase {
		return notFound(c.route.id(0))
	}
	return ownerNotFound()
}

// findContainer finds the container that the path names or goes through, and holds the request to the one that the client
// means, where it says which.
func (c *call) findContainer() *Error {
	if c.container = c.s.catalog.container(c.route.id(0), c.route.id(1)); c.container == nil {
		if c.route.kind == kindContainer && c.s.catalog.database(c.route.id(0)) != nil {
			return notFound(c.route.id(1))
		}
		return ownerNotFound()
	}
	c.database = c.container.database
	if rid := c.head("X-Ms-Cosmos-Intended-Collection-Rid"); rid != "" && rid != c.container.rid {
		return wrongOwner()
	}
	return c.nameItem()
}

// nameItem puts an item's id in the path of one that is addressed by resource ids, as its _self is: of the item, its
// container and its database.
func (c *call) nameItem() *Error {
	if c.route.kind != kindItem || c.route.feed || c.route.id(0) == c.database.name {
		return nil
	}
	rid := c.route.last()
	number, ok := c.container.itemNumber(rid)
	if !ok {
		return badRequest("Failed to parse the value '%s' as ResourceId.", rid)
	}
	found := false
	err := c.s.store.Get(c.container.itemKey(number), func(value []byte, ok bool) error {
		if found = ok; !ok {
			return nil
		}
		i, err := readItem(number, value)
		if err == nil {
			c.route.ids[2] = i.id
		}
		return err
	})
	if err == nil && !found {
		return notFound(rid)
	}
	return c.internal(err)
}

// checkMatch holds a request to its If-Match, against the etag of what is there.
func (c *call) checkMatch(etag string) *Error {
	if want := c.head("If-Match"); want != "" && want != "*" && want != etag {
		return preconditionFailed()
	}
	return nil
}

// unchanged says that the client has what there is, by its If-None-Match.
func (c *call) unchanged(etag string) bool {
	have := c.head("If-None-Match")
	return have != "" && (have == etag || have == "*")
}

// queryLimits are what a page of a query of the request may use: memory as one with the request's own.
func (c *call) queryLimits() budget.Limits {
	limits := sql.Limits(c.s.pool)
	limits.Account = c.hold
	return limits
}
