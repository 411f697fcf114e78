package dynamo

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestListingsAreCounted lists tens of thousands of tables, streams and backups, for a client that has left, and beyond a request's steps.
func TestListingsAreCounted(t *testing.T) {
	t.Parallel()
	const many = 20_000
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	tables, streams, backups := map[string]*table{}, map[string]*stream{}, map[string]*backup{}
	for i := range many {
		name := fmt.Sprint(i)
		tables[name], streams[name], backups[name] = nil, nil, nil
	}
	left, leave := context.WithCancelCause(t.Context())
	gone := errors.New("the client left")
	leave(gone)
	for name, list := range map[string]operation{
		"ListTables": operations["ListTables"], "ListStreams": streamOperations["ListStreams"], "ListBackups": operations["ListBackups"],
	} {
		for _, c := range []struct {
			ctx    context.Context
			limits budget.Limits
			want   error
		}{{left, budget.Limits{}, gone}, {t.Context(), budget.Limits{Steps: many}, budget.ErrSteps}} {
			a := as(newAccount(s, "many"))
			a.account.tables.Store(&tables)
			a.account.streams.Store(&streams)
			a.account.backups.Store(&backups)
			a.work.Reset(c.ctx, c.limits)
			if _, err := list(a, []byte(`{}`), nil); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
		}
	}
}
