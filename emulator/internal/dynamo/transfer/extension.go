package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// Extension keeps the descriptions of exports, imports and bulk operations, and runs them.
type Extension struct {
	engine.BaseExtension
	Engine  *engine.Engine
	Objects Objects
	Gate    identity.Gate // authorizes the use of objects

	mu   sync.Mutex
	runs map[string]*bulkRun // the bulk operations that this process runs, by ARN
}

// accountJobs are the exports, imports and bulk operations of an account.
type accountJobs struct {
	exports *engine.ByARN[Export]
	imports *engine.ByARN[Import]
	bulks   *engine.ByARN[Bulk]
}

// NewState implements engine.Extension.
func (*Extension) NewState() engine.ExtensionState {
	return &accountJobs{engine.NewByARN[Export](), engine.NewByARN[Import](), engine.NewByARN[Bulk]()}
}

func (j *accountJobs) Empty() bool { return j.exports.Empty() && j.imports.Empty() && j.bulks.Empty() }

func jobsOf(a *engine.Account) *accountJobs { return engine.StateOf[*accountJobs](a) }

// history is how long the service lists exports, imports and bulk operations (AWS, "ListExports" and
// "ListBulkOperations": "the past 90 days").
const history = 90 * 24 * time.Hour

// stored is a description as the store keeps it.
type stored[T any] struct {
	Job     *T
	Account string
}

func jobKey(kind byte, id uint32) []byte {
	return store.AppendUint32([]byte{keyspace.DynamoTransfers, kind}, id)
}

// latchJobs latches all descriptions of a kind.
func latchJobs(kind byte) store.Latches { return store.Latch([]byte{keyspace.DynamoTransfers, kind}) }

// save stores a description, which is immutable from now on. Requests see it once it is committed.
func save[T any, P described[T]](ctx context.Context, a *engine.Account, kind byte, job *T,
	in *engine.ByARN[T]) error {
	return put[T, P](ctx, a, kind, job, func() { show[T, P](job, in) })
}

// saveResult is save for a job that has ended: requests see that even if it cannot be stored.
func saveResult[T any, P described[T]](a *engine.Account, kind byte, job *T, in *engine.ByARN[T]) error {
	shown := sync.OnceFunc(func() { show[T, P](job, in) })
	defer shown()
	return put[T, P](context.Background(), a, kind, job, shown)
}

// show makes requests see a description.
func show[T any, P described[T]](job *T, in *engine.ByARN[T]) {
	in.Change(func(all map[string]*T) { all[P(job).header().ARN] = job })
}

// put stores a description. It calls committed when the description is committed.
func put[T any, P described[T]](ctx context.Context, a *engine.Account, kind byte, job *T, committed func()) error {
	text, err := json.Marshal(stored[T]{job, a.Name})
	if err != nil {
		return err
	}
	return a.Engine.Store.UpdateContext(ctx, latchJobs(kind), func(tx *store.Tx) error {
		tx.OnCommit(committed)
		return tx.Set(jobKey(kind, P(job).header().ID), text)
	})
}

// AfterTablesLoad loads the descriptions. Jobs that the last process left unfinished have failed.
func (p *Extension) AfterTablesLoad() error {
	p.mu.Lock()
	p.runs = nil // of jobs that had not begun when the state was replaced; none runs now
	p.mu.Unlock()
	exports := func(a *engine.Account) *engine.ByARN[Export] { return jobsOf(a).exports }
	imports := func(a *engine.Account) *engine.ByARN[Import] { return jobsOf(a).imports }
	bulks := func(a *engine.Account) *engine.ByARN[Bulk] { return jobsOf(a).bulks }
	return cmp.Or(load(p, keyspace.TransferExport, exports), load(p, keyspace.TransferImport, imports),
		load(p, keyspace.TransferBulk, bulks))
}

// described is a pointer to the description of a job.
type described[T any] interface {
	*T
	header() *job
}

func load[T any, P described[T]](p *Extension, kind byte, of func(*engine.Account) *engine.ByARN[T]) error {
	prefix := []byte{keyspace.DynamoTransfers, kind}
	return p.Engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			var s stored[T]
			if err := json.Unmarshal(it.Value(), &s); err != nil || s.Job == nil {
				return fmt.Errorf("the description of an export, an import or a bulk operation cannot be read: %w", err)
			}
			j := P(s.Job).header()
			if p.Engine.ReserveID(j.ID); j.Status == inProgress {
				j.fail(p.Engine, failure{internalFailure, interruptedMessage})
			}
			of(p.Engine.EnsureAccount(s.Account)).All()[j.ARN] = s.Job
			p.Engine.ScheduleRemoval()
		}
		return it.Close()
	})
}

// RemoveExpired removes the descriptions that are too old to be listed.
func (p *Extension) RemoveExpired(a *engine.Account) (next time.Time, err error) {
	jobs := jobsOf(a)
	exports, err := removeOld(a, keyspace.TransferExport, jobs.exports)
	if err != nil {
		return exports, err
	}
	imports, err := removeOld(a, keyspace.TransferImport, jobs.imports)
	if err != nil {
		return engine.Earlier(exports, imports), err
	}
	bulks, err := removeOld(a, keyspace.TransferBulk, jobs.bulks)
	return engine.Earlier(engine.Earlier(exports, imports), bulks), err
}

func removeOld[T any, P described[T]](a *engine.Account, kind byte, in *engine.ByARN[T]) (next time.Time, err error) {
	err = a.Engine.Store.Update(latchJobs(kind), func(tx *store.Tx) error {
		var old []string
		for arn, one := range in.All() {
			j := P(one).header()
			if expires := j.started().Add(history); j.Status == inProgress || expires.After(a.Engine.Clock.Now()) {
				next = engine.Earlier(next, expires)
				continue
			}
			old = append(old, arn)
			if err := tx.Delete(jobKey(kind, j.ID)); err != nil {
				return err
			}
		}
		tx.OnCommit(func() {
			in.Change(func(all map[string]*T) {
				for _, arn := range old {
					delete(all, arn)
				}
			})
		})
		return nil
	})
	return next, err
}
