package query

import (
	"bytes"
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// List is the input of a list of resources other than items: all of them or the result of a query, in pages.
type List struct {
	spec  *QuerySpec
	size  int    // maximum number of rows of a page; 0: as many as fit
	token string // the continuation; empty: from the beginning
}

// ReadList reads the input of a list.
func ReadList(r *operation.Request, _ *engine.Container) (in List, err *wire.Error) {
	if in.spec, err = listSpec(r); err != nil {
		return in, err
	}
	in.token = r.Header("X-Ms-Continuation")
	in.size, err = r.PageSize()
	return in, err
}

// listSpec returns the request's query, or one for all resources.
func listSpec(r *operation.Request) (*QuerySpec, *wire.Error) {
	if r.Form() == wire.QueryForm {
		return readQuerySpec(r)
	}
	const all = "SELECT * FROM c"
	q, err := sql.Parse(all)
	if err != nil {
		return nil, QueryError(err)
	}
	return &QuerySpec{Text: all, Query: q}, nil
}

// Reply replies with a page of resources. The envelope is the name of the list, such as Databases; owner is the
// resource id of the parent.
func (in *List) Reply(r *operation.Run, envelope, owner string, resources []doc.Value) *wire.Error {
	return in.ReplyFrom(r, envelope, owner, &ResourceSource{Resources: resources})
}

// Source is a source of resources, which can continue after a position.
type Source interface {
	sql.Source
	Skip(position []byte)
}

// ReplyFrom is Reply for resources that are read one by one.
func (in *List) ReplyFrom(r *operation.Run, envelope, owner string, source Source) *wire.Error {
	work := budget.New(r.Ctx, r.QueryLimits())
	defer work.Close()
	env := builtin.Env{Now: r.Account.Now(), Random: r.Account.Random.Next}
	program, queryErr := sql.Compile(in.spec.Query, sql.Params{Values: in.spec.parameters, Env: env, Budget: work})
	if queryErr != nil {
		return QueryError(queryErr)
	}
	place := continuation.Token{Owner: envelope + owner, Query: in.spec.fingerprint()}
	resume, err := in.resume(r.Account.Continuations, &place)
	if err != nil {
		return err
	}
	if resume != nil {
		source.Skip(resume.ResumeAfter)
	}
	page, queryErr := program.Run(r.Ctx, source, resume, sql.Options{Rows: in.size, Bytes: operation.MaxResponseBytes,
		LookAhead: true, Budget: work})
	if queryErr != nil {
		return listError(r, queryErr)
	}
	r.Charge = throughput.ChargeMetadataRead
	r.ReplyFeed(envelope, owner, page.Rows)
	if page.State != nil {
		place.Pending = []continuation.Part{{EPKRange: doc.FullRange(), State: page.State.Append(nil)}}
		r.Out.Set("x-ms-continuation", r.Account.Continuations.Encode(&place))
	}
	return nil
}

// resume returns the state at which the list continues; nil: the beginning.
func (in *List) resume(pages *continuation.Codec, place *continuation.Token) (*sql.State, *wire.Error) {
	if in.token == "" {
		return nil, nil
	}
	given, err := pages.Decode(in.token)
	if err != nil || !given.SameQuery(place) || len(given.Pending) != 1 {
		return nil, wire.InvalidContinuation()
	}
	state, stateErr := sql.ParseState(given.Pending[0].State)
	if stateErr != nil {
		return nil, wire.InvalidContinuation()
	}
	return state, nil
}

func listError(r *operation.Run, err error) *wire.Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		return QueryError(err)
	case errors.Is(err, sql.ErrState):
		return wire.InvalidContinuation()
	case errors.Is(err, budget.ErrBusy):
		return wire.TooManyRequests(wire.BusyRetryDelay)
	}
	return r.Internal(err)
}

// ResourceSource is a source of resources for a query. They are in the order of their resource ids, which are also
// their positions: a list continues after a resource even if it was deleted.
type ResourceSource struct{ Resources []doc.Value }

// Next implements [sql.Source].
func (s *ResourceSource) Next(context.Context) (doc.Value, []byte, bool, error) {
	if len(s.Resources) == 0 {
		return doc.Value{}, nil, false, nil
	}
	next := s.Resources[0]
	s.Resources = s.Resources[1:]
	return next, positionOf(next), true, nil
}

// Skip implements [Source].
func (s *ResourceSource) Skip(position []byte) {
	for len(s.Resources) > 0 && bytes.Compare(positionOf(s.Resources[0]), position) <= 0 {
		s.Resources = s.Resources[1:]
	}
}

func positionOf(resource doc.Value) []byte {
	raw, _ := wire.DecodeRID(resource.Field("_rid").Str())
	return raw
}
