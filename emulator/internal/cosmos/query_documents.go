package cosmos

import (
	"errors"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
)

// queryDocuments answers a page of a query over a container's items.
func queryDocuments(c *call) *Error {
	q := &documentQuery{call: c, def: c.container.definition.Load(), timed: c.flag("X-Ms-Documentdb-Populatequerymetrics"),
		work: budget.New(c.ctx, c.queryLimits())}
	defer q.close()
	begin := q.tick()
	spec, err := c.readQuerySpec()
	if err != nil {
		return err
	}
	q.spec = spec
	q.tock(&q.took.parse, begin)
	scopes, err := c.readScopes(spec)
	if err != nil {
		return err
	}
	if q.left, err = c.pageSize(); err != nil {
		return err
	}
	if err := c.checkForm(); err != nil {
		return err
	}
	if err := c.chooseReplica(); err != nil {
		return err
	}
	begin = q.tick()
	if err := q.compile(); err != nil {
		return err
	}
	q.tock(&q.took.compile, begin)
	if err := q.checkOrder(); err != nil {
		return err
	}
	t, err := c.newTraversal(spec, scopes)
	if err != nil {
		return err
	}
	if err := c.admitTo(c.container.partitionOf(t.left[0].partition.Low)); err != nil {
		return err
	}
	if err := q.run(t); err != nil {
		return err
	}
	return q.answer(t)
}

// The sizes of pages. They are what live accounts answer: without a size, or with 0, a page has 1000 rows, and -1 leaves the
// size to the service, which fills an answer.
const (
	defaultPage = 1000
	maxAnswer   = 4 << 20 // bytes ("Azure Cosmos DB service quotas", maximum response size)
)

// pageSize is how many rows the request wants at most; 0: as many as fit into an answer.
func (c *call) pageSize() (int, *Error) {
	text := c.header("X-Ms-Max-Item-Count")
	if text == "" {
		return defaultPage, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < -1:
		return 0, serviceError("The input PageSize %s is invalid. Ensure to pass a valid page size which must be a positive integer or -1 for a dynamic page size.", text)
	case n == -1:
		return 0, nil
	case n == 0:
		return defaultPage, nil
	}
	return n, nil
}

// documentQuery is a query while a page of it is made.
type documentQuery struct {
	*call
	spec    *querySpec
	def     *definition
	program *sql.Program

	work      *budget.Budget    // what the page may use, in all scopes together
	functions *script.Functions // user-defined ones; nil: none was called

	left    int // rows that the page still takes; 0: as many as fit
	rows    int
	body    []byte // the rows as JSON, with commas between them
	reads   queryReads
	charged queryReads // reads, as if small containers had indexes too
	looks   looks
	timed   bool
	took    durations
	ways    []string // how the documents of each scope were found
}

func (q *documentQuery) compile() *Error {
	env := builtin.Env{Now: q.account.now(), Random: q.account.random.Next,
		Planar:   q.def.resource.Field("geospatialConfig").Field("type").Str() == "Geometry",
		Language: q.def.resource.Field("fullTextPolicy").Field("defaultLanguage").Str()}
	program, err := sql.Compile(q.spec.query, sql.Params{Values: q.spec.parameters, Env: env, Embeddings: q.def.embeddings(), Computed: q.def.computed,
		UDF: q.callFunction, Budget: q.work})
	if err != nil {
		return queryError(err)
	}
	q.program, q.looks = program, looksOf(program.Shape())
	return nil
}

// checkOrder holds ORDER BY to the indexing policy.
func (q *documentQuery) checkOrder() *Error {
	order := q.program.Shape().Order
	if q.spec.query.OrderBy == nil || len(order) == 0 {
		return nil
	}
	switch _, _, ok := q.def.indexing.orderedBy(order); {
	case ok:
		return nil
	case len(order) == 1:
		return serviceError("The index path corresponding to the specified order-by item is excluded.")
	}
	return serviceError("The order by query does not have a corresponding composite index that it can be served from.")
}

// run fills the page from the scopes one after the other. A page has the rows of one physical partition: those of the next are
// for the next page, however many it still would take (@azure/cosmos, crossPartition.spec.ts: a query costs the same read at
// once and page by page, and its last page is not followed by an empty one).
func (q *documentQuery) run(t *traversal) *Error {
	for p := t.next(); p != nil; p = t.next() {
		state, err := q.piece(p)
		switch {
		case err != nil:
			return q.runError(err)
		case state != nil:
			t.stop(state.Append(nil))
		case q.rows > 0:
			t.pause()
		}
	}
	return nil
}

// piece takes rows of one scope, and says where the next page goes on in it; nil: it is read to its end.
func (q *documentQuery) piece(p *piece) (*sql.State, error) {
	var resume *sql.State
	if len(p.state) > 0 {
		var err error
		if resume, err = sql.ParseState(p.state); err != nil {
			return nil, invalidContinuation()
		}
	}
	begin := q.tick()
	plan, err := q.container.plan(q.ctx, q.def, &p.scope, q.program.Shape(), resume)
	q.tock(&q.took.plan, begin)
	if err != nil {
		return nil, err
	}
	if q.pin(); !plan.fits(&q.moment) {
		q.replica = lag.Leader
	}
	options := sql.Options{Rows: max(0, q.left-q.rows), Bytes: maxAnswer - q.reads.output, Budget: q.work}
	var page *sql.Page
	before := q.reads
	err = q.view(func(r *lag.View) (err error) {
		way, err := plan.open(q, r, resume)
		if err != nil {
			return err
		}
		defer way.source.close()
		q.ways = append(q.ways, way.text)
		options.Ordered = way.ordered
		begin := q.tick()
		page, err = q.program.Run(q.ctx, way.source, resume, options)
		if q.tock(&q.took.run, begin); err == nil {
			q.take(page)
			q.note(before, plan, way.served, page.Matched)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return page.State, nil
}

// busyFor is when a client may try again whose query found no memory: about as long as queries hold theirs.
const busyFor = 500 * time.Millisecond

// runError is the answer to a query that failed while it ran.
func (q *documentQuery) runError(err error) *Error {
	var wrong *sql.Error
	switch {
	case errors.As(err, &wrong):
		e := queryError(err)
		if code, problem := strconv.Atoi(wrong.Code); problem == nil {
			e.Substatus = code
		}
		return e
	case errors.Is(err, sql.ErrState):
		return invalidContinuation()
	case errors.Is(err, budget.ErrBusy):
		return tooManyRequests(busyFor)
	}
	return q.internal(err)
}
