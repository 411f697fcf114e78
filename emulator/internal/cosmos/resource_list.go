package cosmos

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// replyList answers a page of resources that are not items: of all there are, or of what the request's query makes of them.
// The envelope is what the service calls them, such as Databases; the owner is the resource id of what they belong to.
func (c *call) replyList(envelope, owner string, resources []doc.Value) *Error {
	spec, err := c.listSpec()
	if err != nil {
		return err
	}
	size, err := c.pageSize()
	if err != nil {
		return err
	}
	work := budget.New(c.ctx, c.queryLimits())
	defer work.Close()
	program, problem := sql.Compile(spec.query, sql.Params{Values: spec.parameters, Env: builtin.Env{Now: c.account.now(), Random: c.account.random.Next}, Budget: work})
	if problem != nil {
		return queryError(problem)
	}
	place := continuation.Token{Owner: envelope + owner, Query: spec.fingerprint()}
	resume, err := c.resumeList(&place)
	if err != nil {
		return err
	}
	source := &resourceSource{resources: resources}
	if resume != nil {
		source.skip(resume.Behind)
	}
	page, problem := program.Run(c.ctx, source, resume, sql.Options{Rows: size, Bytes: maxAnswer, Foresees: true, Budget: work})
	if problem != nil {
		return c.listError(problem)
	}
	c.charge = chargeMetadataRead
	c.replyFeed(envelope, owner, page.Rows)
	if page.State != nil {
		place.Pending = []continuation.Part{{EPKRange: doc.WholeRange(), State: page.State.Append(nil)}}
		c.out.set("x-ms-continuation", c.account.pages.Encode(&place))
	}
	return nil
}

// listSpec is the request's query, or that for everything.
func (c *call) listSpec() (*querySpec, *Error) {
	if c.form() == QueryForm {
		return c.readQuerySpec()
	}
	const all = "SELECT * FROM c"
	q, err := sql.Parse(all)
	if err != nil {
		return nil, c.internal(err)
	}
	return &querySpec{text: all, query: q}, nil
}

// resumeList is where the request's continuation goes on; nil: at the beginning.
func (c *call) resumeList(place *continuation.Token) (*sql.State, *Error) {
	token := c.header("X-Ms-Continuation")
	if token == "" {
		return nil, nil
	}
	given, err := c.account.pages.Decode(token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 {
		return nil, invalidContinuation()
	}
	state, problem := sql.ParseState(given.Pending[0].State)
	if problem != nil {
		return nil, invalidContinuation()
	}
	return state, nil
}

func (c *call) listError(err error) *Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		return queryError(err)
	case errors.Is(err, sql.ErrState):
		return invalidContinuation()
	case errors.Is(err, budget.ErrBusy):
		return tooManyRequests(busyFor)
	}
	return c.internal(err)
}

// resourceSource gives resources to a query. The position of one is its place in the list.
type resourceSource struct {
	resources []doc.Value
	next      int
}

// Next is what [sql.Source] says.
func (s *resourceSource) Next(context.Context) (doc.Value, []byte, bool, error) {
	if !s.more() {
		return doc.Value{}, nil, false, nil
	}
	s.next++
	return s.resources[s.next-1], binary.BigEndian.AppendUint32(nil, uint32(s.next)), true, nil
}

func (s *resourceSource) more() bool { return s.next < len(s.resources) }

// skip goes on behind a position.
func (s *resourceSource) skip(behind []byte) {
	if len(behind) == 4 {
		s.next = min(int(binary.BigEndian.Uint32(behind)), len(s.resources))
	}
}
