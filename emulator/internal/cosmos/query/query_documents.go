package query

import (
	"errors"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// QueryDocuments returns a page of a query over a container's items.
func QueryDocuments(c *operation.Call) *wire.Error { return operation.Do(c, readQuery, runQuery) }

// queryInput is the input of a page of a query over items.
type queryInput struct {
	spec        *QuerySpec
	target      target
	size        int // maximum number of rows; 0: as many as fit
	consistency operation.ReadConsistency
	token       string // the continuation; empty: from the beginning
	tokenLimit  string // the maximum size of a continuation in kilobytes, from the client
	binary      bool

	timed       bool          // the client asks for query metrics
	parsing     time.Duration // time to read the request
	indexReport indexReport
}

func readQuery(r *operation.Request, container *engine.Container) (in queryInput, err *wire.Error) {
	if in.timed = r.Flag("X-Ms-Documentdb-Populatequerymetrics"); in.timed {
		begin := r.MachineTime()
		defer func() { in.parsing = r.MachineTime().Sub(begin) }()
	}
	if in.spec, err = readQuerySpec(r); err != nil {
		return in, err
	}
	if in.target, err = readTarget(r, container, in.spec); err != nil || in.target.unsupported != nil {
		return in, err
	}
	in.token, in.tokenLimit = r.Header("X-Ms-Continuation"), r.Header("X-Ms-Documentdb-Responsecontinuationtokenlimitinkb")
	in.indexReport, in.binary = readIndexReport(r), r.Binary()
	if in.size, err = r.PageSize(); err != nil {
		return in, err
	}
	if err = r.CheckFormat(); err != nil {
		return in, err
	}
	in.consistency, err = r.ReadConsistency(container)
	return in, err
}

func runQuery(r *operation.Run, in queryInput) *wire.Error {
	if in.target.unsupported != nil {
		return QueryError(in.spec.preferredError(r, in.target.unsupported))
	}
	if err := r.ChooseReplica(in.consistency); err != nil {
		return err
	}
	q := &DocumentQuery{Run: r, Spec: in.spec, Def: r.Container.Definition.Load(), maxRows: in.size, timed: in.timed,
		work: budget.New(r.Ctx, r.QueryLimits())}
	defer q.Close()
	q.took.parse = in.parsing
	begin := q.tick()
	if err := q.Compile(); err != nil {
		return err
	}
	q.tock(&q.took.compile, begin)
	if err := q.CheckOrder(); err != nil {
		return err
	}
	t, err := newTraversal(r, in.spec, in.token, in.target.scopes(r.Container, in.spec))
	if err != nil {
		return err
	}
	if err := r.AdmitPartitions(r.Container.PartitionOf(t.pieces[0].partition.Low)); err != nil {
		return err
	}
	q.beginBody()
	if err := q.run(t); err != nil {
		return err
	}
	return q.reply(t, &in)
}

// DocumentQuery is a query that builds a page.
type DocumentQuery struct {
	*operation.Run
	Spec    *QuerySpec
	Def     *engine.Definition
	Program *sql.Program

	work      *budget.Budget    // limits the page, over all scopes together
	functions *script.Functions // user-defined functions; nil: none was called

	maxRows     int // rows that the page still takes; 0: as many as fit
	rows        int
	body        []byte // the response so far: its head and the rows as JSON, separated by commas
	head        int    // length of the head in bytes
	reads       throughput.QueryReads
	charged     throughput.QueryReads // reads, as if small containers had indexes, too
	needs       neededParts
	timed       bool
	took        durations
	accessPaths []string // the access path of each scope
}

// Compile compiles the query for the container.
func (q *DocumentQuery) Compile() *wire.Error {
	env := builtin.Env{Now: q.Account.Now(), Random: q.Account.Random.Next,
		Planar:   q.Def.Resource.Field("geospatialConfig").Field("type").Str() == "Geometry",
		Language: q.Def.Resource.Field("fullTextPolicy").Field("defaultLanguage").Str()}
	program, err := sql.Compile(q.Spec.Query, sql.Params{Values: q.Spec.parameters, Env: env,
		Embeddings: embeddings(q.Def), Computed: q.Def.ComputedProperties,
		UDF: q.callFunction, Budget: q.work})
	if err != nil {
		return QueryError(err)
	}
	q.Program, q.needs = program, neededPartsOf(program.Shape())
	return nil
}

// CheckOrder checks ORDER BY against the indexing policy.
func (q *DocumentQuery) CheckOrder() *wire.Error {
	order := q.Program.Shape().Order
	if q.Spec.Query.OrderBy == nil || len(order) == 0 {
		return nil
	}
	switch _, _, ok := orderIndex(q.Def.Indexing, order); {
	case ok:
		return nil
	case len(order) == 1:
		return wire.ServiceError("The index path corresponding to the specified order-by item is excluded.")
	}
	return wire.ServiceError(
		"The order by query does not have a corresponding composite index that it can be served from.")
}

// run fills the page, scope by scope. A page contains rows of one physical partition only: those of the next partition
// go to the next page, even if the page has space left. Thus a query costs the same at once and page by page, and its
// last page is not followed by an empty one (crossPartition.spec.ts of @azure/cosmos).
func (q *DocumentQuery) run(t *traversal) *wire.Error {
	for p := t.next(); p != nil; p = t.next() {
		state, err := q.runPiece(p)
		switch {
		case err != nil:
			return q.RunError(err)
		case state != nil:
			t.stop(state.Append(nil))
		case q.rows > 0:
			t.pause()
		}
	}
	return nil
}

// runPiece reads rows of one scope. It returns the state at which the next page continues in the scope; nil: the scope
// is complete.
func (q *DocumentQuery) runPiece(p *piece) (*sql.State, error) {
	var resume *sql.State
	if len(p.state) > 0 {
		var err error
		if resume, err = sql.ParseState(p.state); err != nil {
			return nil, wire.InvalidContinuation()
		}
	}
	begin := q.tick()
	plan, err := newAccessPlan(q.Container, q.work, q.Def, &p.scope, q.Program.Shape(), resume)
	q.tock(&q.took.plan, begin)
	if err != nil {
		return nil, err
	}
	if q.Pin(); !plan.validAt(&q.Moment) {
		q.Replica = lag.Leader
	}
	options := sql.Options{Rows: max(0, q.maxRows-q.rows), Bytes: operation.MaxResponseBytes - q.reads.Output,
		Budget: q.work}
	var page *sql.Page
	before := q.reads
	err = q.View(func(r *lag.View) (err error) {
		way, err := plan.open(q, r, resume)
		if err != nil {
			return err
		}
		defer way.source.close()
		q.accessPaths = append(q.accessPaths, way.description)
		options.Ordered = way.ordered
		if shape := q.Program.Shape(); shape.Opaque && (way.ordered || len(shape.Order) == 0) {
			way.source.opaque = true
			options.Write = func(doc.Value) int { return q.addItem(&way.source.current) }
		}
		begin, wrote := q.tick(), q.took.write
		page, err = q.Program.Run(q.Ctx, way.source, resume, options)
		q.tock(&q.took.run, begin)
		if q.took.run -= q.took.write - wrote; err == nil {
			q.addRows(page)
			q.recordReads(before, plan, way.filterIndexed, page.Matched)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return page.State, nil
}

// RunError converts the error of a running query to a wire error.
func (q *DocumentQuery) RunError(err error) *wire.Error {
	var wrong *sql.Error
	switch err = sql.LimitError(err); {
	case errors.As(err, &wrong):
		e := QueryError(err)
		if code, parseErr := strconv.Atoi(wrong.Code); parseErr == nil {
			e.Substatus = code
		}
		return e
	case errors.Is(err, sql.ErrState):
		return wire.InvalidContinuation()
	case errors.Is(err, budget.ErrBusy):
		return wire.TooManyRequests(wire.BusyRetryDelay)
	}
	return q.Internal(err)
}
