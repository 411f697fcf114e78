package query

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ReplyList answers a page of resources that are not items: of all there are, or of what the request's query makes of them.
// The envelope is what the service calls them, such as Databases; the owner is the resource id of what they belong to.
func ReplyList(c *operation.Call, envelope, owner string, resources []doc.Value) *wire.Error {
	spec, err := listSpec(c)
	if err != nil {
		return err
	}
	size, err := c.PageSize()
	if err != nil {
		return err
	}
	work := budget.New(c.Ctx, c.QueryLimits())
	defer work.Close()
	program, problem := sql.Compile(spec.Query, sql.Params{Values: spec.parameters, Env: builtin.Env{Now: c.Account.Now(), Random: c.Account.Random.Next}, Budget: work})
	if problem != nil {
		return QueryError(problem)
	}
	place := continuation.Token{Owner: envelope + owner, Query: spec.fingerprint()}
	resume, err := resumeList(c, &place)
	if err != nil {
		return err
	}
	source := &ResourceSource{Resources: resources}
	if resume != nil {
		source.skip(resume.Behind)
	}
	page, problem := program.Run(c.Ctx, source, resume, sql.Options{Rows: size, Bytes: operation.MaxAnswer, Foresees: true, Budget: work})
	if problem != nil {
		return listError(c, problem)
	}
	c.Charge = throughput.ChargeMetadataRead
	c.ReplyFeed(envelope, owner, page.Rows)
	if page.State != nil {
		place.Pending = []continuation.Part{{EPKRange: doc.WholeRange(), State: page.State.Append(nil)}}
		c.Out.Set("x-ms-continuation", c.Account.Pages.Encode(&place))
	}
	return nil
}

// listSpec is the request's query, or that for everything.
func listSpec(c *operation.Call) (*QuerySpec, *wire.Error) {
	if c.Form() == wire.QueryForm {
		return readQuerySpec(c)
	}
	const all = "SELECT * FROM c"
	q, err := sql.Parse(all)
	if err != nil {
		return nil, c.Internal(err)
	}
	return &QuerySpec{Text: all, Query: q}, nil
}

// resumeList is where the request's continuation goes on; nil: at the beginning.
func resumeList(c *operation.Call, place *continuation.Token) (*sql.State, *wire.Error) {
	token := c.Header("X-Ms-Continuation")
	if token == "" {
		return nil, nil
	}
	given, err := c.Account.Pages.Decode(token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 {
		return nil, wire.InvalidContinuation()
	}
	state, problem := sql.ParseState(given.Pending[0].State)
	if problem != nil {
		return nil, wire.InvalidContinuation()
	}
	return state, nil
}

func listError(c *operation.Call, err error) *wire.Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		return QueryError(err)
	case errors.Is(err, sql.ErrState):
		return wire.InvalidContinuation()
	case errors.Is(err, budget.ErrBusy):
		return wire.TooManyRequests(wire.BusyFor)
	}
	return c.Internal(err)
}

// ResourceSource gives resources to a query. The position of one is its place in the list.
type ResourceSource struct {
	Resources []doc.Value
	next      int
}

// Next is what [sql.Source] says.
func (s *ResourceSource) Next(context.Context) (doc.Value, []byte, bool, error) {
	if !s.more() {
		return doc.Value{}, nil, false, nil
	}
	s.next++
	return s.Resources[s.next-1], binary.BigEndian.AppendUint32(nil, uint32(s.next)), true, nil
}

func (s *ResourceSource) more() bool { return s.next < len(s.Resources) }

// skip goes on behind a position.
func (s *ResourceSource) skip(behind []byte) {
	if len(behind) == 4 {
		s.next = min(int(binary.BigEndian.Uint32(behind)), len(s.Resources))
	}
}
