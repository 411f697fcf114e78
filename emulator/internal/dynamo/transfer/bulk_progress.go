package transfer

import (
	"context"
	"maps"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// bulkRun is a bulk operation that this process runs: its counts so far, and how to stop it.
type bulkRun struct {
	mu        sync.Mutex
	counts    bulkCounts
	stop      context.CancelFunc // nil: the work has not begun
	cancelled bool               // by a request
	ended     bool               // its status is decided
	stored    chan struct{}      // closed when its result is stored
	author    []byte             // who started it, as Change.Author
}

// register makes requests see a run of the operation with an ARN, which a caller has started.
func (p *Extension) register(arn string, author []byte) *bulkRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.runs == nil {
		p.runs = map[string]*bulkRun{}
	}
	r := &bulkRun{stored: make(chan struct{}), author: author}
	p.runs[arn] = r
	return r
}

// unregister ends a run whose result is stored.
func (p *Extension) unregister(arn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.runs[arn].stored)
	delete(p.runs, arn)
}

// runOf returns the run of a bulk operation, nil if there is none.
func (p *Extension) runOf(arn string) *bulkRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runs[arn]
}

// begin returns the context of the work. release releases it.
func (r *bulkRun) begin(ctx context.Context) (_ context.Context, release context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ctx, r.stop = context.WithCancel(ctx)
	if r.cancelled {
		r.stop()
	}
	return ctx, r.stop
}

// cancel stops the work. It reports whether the operation's status was still open.
func (r *bulkRun) cancel() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	if r.cancelled = true; r.stop != nil {
		r.stop()
	}
	return true
}

func (r *bulkRun) isCancelled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cancelled
}

// end decides the status: requests cannot cancel the operation any more. It returns the counts, and whether a request
// has cancelled it.
func (r *bulkRun) end() (bulkCounts, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	return r.counts, r.cancelled
}

// update changes the counts.
func (r *bulkRun) update(change func(c *bulkCounts)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.counts)
}

// progress returns a copy of the counts, and whether a request has cancelled the operation.
func (r *bulkRun) progress() (bulkCounts, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.counts
	w := &c.Written
	w.Local, w.Global, w.Vectors = maps.Clone(w.Local), maps.Clone(w.Global), maps.Clone(w.Vectors)
	return c, r.cancelled
}

// PrepareChange refuses to make a table with a bulk operation in progress a global table (developer guide,
// "BulkPutItems.Considerations"). The message is ours.
func (p *Extension) PrepareChange(a *engine.Account, from, to *engine.Table) (engine.Writes, error) {
	if from == nil || to == nil || from.Def.Replication != nil || to.Def.Replication == nil {
		return nil, nil
	}
	for _, x := range jobsOf(a).bulks.All() {
		if x.TableID == from.Def.UUID && !x.isDone(p.Engine) {
			return nil, wire.DynamoError("ResourceInUseException",
				"Attempt to change a resource which is still in use: Table has a bulk operation in progress: "+from.Def.Name)
		}
	}
	return nil, nil
}
