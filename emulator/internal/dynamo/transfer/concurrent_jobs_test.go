package transfer

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// newStore opens a store in memory for a test. It calls pause, which may be nil, where other goroutines may overtake.
func newStore(t *testing.T, pause func()) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Pause: pause})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestConcurrentResultsAreKept stores the results of many imports at the same time: none replaces another one.
func TestConcurrentResultsAreKept(t *testing.T) {
	t.Parallel()
	e := engine.NewEngine(engine.EngineConfig{Store: newStore(t, nil), Clock: clock.Manual(time.Unix(1000, 0))}, false, 1)
	all := engine.NewByARN[Import]()
	const jobs = 200
	var done sync.WaitGroup
	for i := range uint32(jobs) {
		done.Go(func() {
			arn := fmt.Sprint(i)
			x := &Import{job: job{ID: i, ARN: arn}}
			if err := save(t.Context(), &engine.Account{Engine: e}, keyspace.TransferImport, x, all); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if n := len(all.All()); n != jobs {
		t.Errorf("%d of %d descriptions are kept", n, jobs)
	}
}

// TestDescriptionsThatCouldNotBeStored fails the commits that store descriptions of exports. Requests do not see the
// one of a new export, which is not started, but they see that an export has ended.
func TestDescriptionsThatCouldNotBeStored(t *testing.T) {
	t.Parallel()
	left := 0
	e := engine.NewEngine(engine.EngineConfig{Clock: clock.Manual(time.Unix(1000, 0)), Store: newStore(t, func() {
		if left--; left == 0 {
			panic("the commit fails")
		}
	})}, false, 1)
	const pausesToCommit = 2 // see store.Options.Pause
	all, a := engine.NewByARN[Export](), &engine.Account{Engine: e}
	x := &Export{job: job{ID: 1, ARN: "arn", Status: completed}}
	for _, c := range []struct {
		what string
		save func() error
		want *Export
	}{
		{"a new export", func() error { return save(t.Context(), a, keyspace.TransferExport, x, all) }, nil},
		{"a result", func() error { return saveResult(a, keyspace.TransferExport, x, all) }, x},
	} {
		left = pausesToCommit
		if err := panics.AsError(c.what, c.save); err == nil {
			t.Errorf("%s is stored", c.what)
		}
		if got := all.All()["arn"]; got != c.want {
			t.Errorf("after %s that could not be stored, requests see %v, want %v", c.what, got, c.want)
		}
	}
}

// TestResultsAreShownWhenTheStoreRefusesUpdates ends an export then: requests see that it has ended.
func TestResultsAreShownWhenTheStoreRefusesUpdates(t *testing.T) {
	t.Parallel()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := engine.NewEngine(engine.EngineConfig{Store: s, Clock: clock.Manual(time.Unix(1000, 0))}, false, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all, x := engine.NewByARN[Export](), &Export{job: job{ID: 1, ARN: "arn", Status: completed}}
	if err := saveResult(&engine.Account{Engine: e}, keyspace.TransferExport, x, all); err == nil {
		t.Error("a result is stored in a closed store")
	}
	if all.All()["arn"] != x {
		t.Error("requests do not see the result")
	}
}
