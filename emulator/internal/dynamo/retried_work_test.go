package dynamo

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestFailedWorkIsRetried fails a commit of work that continues after its definition is published: the new index, and
// the order of expiry, are complete a minute later.
func TestFailedWorkIsRetried(t *testing.T) {
	t.Parallel()
	const pausesToCommit = 2 // of a paced step: see store.Options.Pause
	pool, left := budget.NewPool(budget.DefaultPool), new(atomic.Int32)
	state, err := store.Open(store.Options{Pause: func() {
		if pool.Pacing() && left.Add(-1) == 0 {
			panic("the commit fails")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	s, err := New(Config{Store: state, Clock: now, Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "PutItem",
		`{"TableName":"sessions","Item":{"id":{"S":"a"},"city":{"S":"Oslo"},"until":{"N":"1800000030"}}}`)
	for _, request := range []struct{ operation, body string }{{"UpdateTable", byCity},
		{"UpdateTimeToLive", `{"TableName":"sessions","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`},
	} {
		left.Store(pausesToCommit)
		wantFailure(t, s, request.operation, request.body)
		if left.Load() > 0 {
			t.Fatal("no commit failed")
		}
		advance(t, now, time.Minute)
		await.True(t, request.operation+" is complete", func() bool {
			table, err := s.engine.SharedAccount.Load().Table("sessions")
			return err == nil && !table.Def.HasUnfinishedWork()
		})
		if request.operation == "UpdateTable" {
			if answer := answerTo(t, s, "Scan", `{"TableName":"sessions","IndexName":"by-city"}`); !strings.Contains(answer,
				`"Count":1,`) {
				t.Errorf("the index has %s", answer)
			}
			table, err := s.engine.SharedAccount.Load().Table("sessions")
			if err != nil {
				t.Fatal(err)
			}
			if n := table.Indexes[0].Stats.Items.Load(); n != 1 {
				t.Errorf("%d entries of the index are counted, want 1", n)
			}
		}
	}
	advance(t, now, time.Minute)
	if answer := answerTo(t, s, "Scan", `{"TableName":"sessions"}`); !strings.Contains(answer, `"Count":0,`) {
		t.Errorf("after its expiry the table has %s", answer)
	}
}
