package dynamo

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
)

// TestListOperationsUseTheStepBudget lists tens of thousands of tables, streams and backups for a client that has
// disconnected, and beyond a request's budget.
func TestListOperationsUseTheStepBudget(t *testing.T) {
	t.Parallel()
	const many = 20_000
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	tables, followed, backups := map[string]*engine.Table{}, map[string]*streams.Stream{}, map[string]*backup.Backup{}
	for i := range many {
		name := fmt.Sprint(i)
		tables[name], followed[name], backups[name] = nil, nil, nil
	}
	left, leave := context.WithCancelCause(t.Context())
	gone := errors.New("the client left")
	leave(gone)
	for _, name := range []string{"ListTables", "ListStreams", "ListBackups"} {
		for _, c := range []struct {
			ctx    context.Context
			limits budget.Limits
			want   error
		}{{left, budget.Limits{}, gone}, {t.Context(), budget.Limits{Steps: many}, budget.ErrSteps}} {
			a := requestFor(s.engine.AccountNamed("many"))
			a.Account.Tables.Store(&tables)
			streamsOf(a.Account).Replace(followed)
			backupsOf(a.Account).Replace(backups)
			a.Work.Reset(c.ctx, c.limits)
			if _, err := runOperation(s, a, name, []byte(`{}`), nil); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	}
}

// streamsOf returns the readable streams of an account.
func streamsOf(a *engine.Account) *engine.ByARN[streams.Stream] {
	return engine.StateOf[*engine.ByARN[streams.Stream]](a)
}

// backupsOf returns the backups of an account.
func backupsOf(a *engine.Account) *engine.ByARN[backup.Backup] {
	return engine.StateOf[*engine.ByARN[backup.Backup]](a)
}
