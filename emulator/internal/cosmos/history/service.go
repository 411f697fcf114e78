package history

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// MaxInput is the size in bytes of the largest request.
const MaxInput = 64 << 10

// pageSteps is the work of a request in budget steps, as for a page of DynamoDB.
const pageSteps = 1 << 26

// Service runs the operations on an account. It is safe for concurrent use.
type Service struct {
	account *operation.Account
	pointintime.Slots
	Bounds pointintime.Bounds
	// WriteBatch is the most items that a restore or a clone writes at a time: about 2 ms of work.
	WriteBatch int
	views      pointintime.Views
}

// New returns the service of an account.
func New(a *operation.Account) *Service {
	return &Service{account: a, Slots: pointintime.NewSlots(), Bounds: pointintime.DefaultBounds(pageSteps),
		WriteBatch: 32}
}

// Clear drops the views: the state is replaced, or the service is closed.
func (s *Service) Clear() { s.views.Clear() }

// Input is the request of all operations.
type Input struct {
	Database, Container string
	At, From, To        string          // times; empty: the latest, or the earliest and the latest moment
	Start               string          // the token of the previous page
	Limit               *int            // nil: defaultLimit
	PartitionKey        json.RawMessage // an array of values; nil: all
	Key                 json.RawMessage // {"id":…,"partitionKey":[…]}
	NewContainer        string          // name of a restored or cloned container
	WithoutItems        bool            // of a clone
}

// request is a request in progress.
type request struct {
	*Service
	*Input
	ctx       context.Context
	progress  func(items int64) // takes how many items a clone has copied
	limits    budget.Limits
	work      *budget.Budget
	container *engine.Container
	moments   pointintime.Moments
}

// operations are all operations.
var operations = map[string]func(*request) ([]byte, error){
	"Clone":      (*request).clone,
	"Difference": (*request).difference,
	"Items":      (*request).items,
	"Restore":    (*request).restore,
	"Span":       (*request).span,
	"Versions":   (*request).versions,
}

// Run runs an operation with a request in JSON. memory may be nil. progress takes how many items a clone has copied.
func (s *Service) Run(ctx context.Context, memory *budget.Account, progress func(items int64), name string,
	body []byte) ([]byte, *wire.Error) {
	run, in := operations[name], new(Input)
	if run == nil || json.Unmarshal(body, in) != nil {
		return nil, wire.BadRequest("The request cannot be read.")
	}
	r := &request{Service: s, Input: in, ctx: ctx, progress: progress,
		limits: budget.Limits{Pool: s.account.Pool, Account: memory}}
	r.renewWork()
	defer func() { r.work.Close() }()
	if err := r.findContainer(); err != nil {
		return nil, err
	}
	if name != "Clone" { // it needs no earlier states
		if err := r.findMoments(); err != nil {
			return nil, err
		}
	}
	out, err := run(r)
	return out, r.convert(err)
}

// renewWork gives the request its share of work again.
func (r *request) renewWork() {
	if r.work != nil {
		r.work.Close()
	}
	r.work = budget.New(r.ctx, r.limits)
}

// findContainer finds the container.
func (r *request) findContainer() *wire.Error {
	a := r.account
	if r.container = a.Catalog.Container(r.Database, r.Container); r.container == nil {
		return wire.NotFound(r.Database + "/" + r.Container)
	}
	return nil
}

// findMoments finds the moments of the container that can be read.
func (r *request) findMoments() *wire.Error {
	a := r.account
	if r.container.History == nil {
		return &wire.Error{Status: http.StatusNotFound, Code: "NotFound", Message: "the account has no continuous backup, " +
			"so earlier states of its containers are not stored; start the emulator with --cosmos-continuous-backup 7 (days)"}
	}
	var err error
	r.moments, err = pointintime.NewMoments(r.ctx, r.container.History, r.earliest(), a.Now())
	return r.convert(err)
}

// earliest returns the first moment that can be read: the backup began, or its period. The clock may have been set back
// by a restart, after which changes keep their order.
func (r *request) earliest() changelog.Position {
	now := r.account.Now()
	return max(min(r.account.BackupSince, changelog.At(now)-1), changelog.At(now.Add(-r.account.BackupPeriod)))
}

// view opens a snapshot of the container, and checks that the changes after a moment are still there: the clock may
// have been advanced meanwhile.
func (r *request) view(at changelog.Position, read func(*store.Reader) error) error {
	return r.account.Store.View(func(reader *store.Reader) error {
		if r.container.Deleted.Load() {
			return wire.NotFound(r.Container)
		}
		if r.earliest() > at+changelog.Position(engine.BackupSlack/2) {
			return pointintime.ErrTrimmed
		}
		return read(reader)
	})
}

// convert converts an error into the service's.
func (r *request) convert(err error) *wire.Error {
	var mistake pointintime.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &mistake):
		return wire.BadRequest("%s", mistake)
	case errors.Is(err, budget.ErrBusy):
		return wire.TooManyRequests(time.Second)
	}
	return r.account.Internal(err)
}

// mistake returns an error of the request.
func mistake(format string, args ...any) error {
	return pointintime.Error(fmt.Sprintf(format, args...))
}
