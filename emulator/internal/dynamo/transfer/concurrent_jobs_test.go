package transfer

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// newStore opens a store in memory for a test.
func newStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{})
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
	e := engine.NewEngine(engine.EngineConfig{Store: newStore(t), Clock: clock.Manual(time.Unix(1000, 0))}, false, 1)
	all := engine.NewByARN[Import]()
	const jobs = 200
	var done sync.WaitGroup
	for i := range uint32(jobs) {
		done.Go(func() {
			arn := fmt.Sprint(i)
			x := &Import{job: job{ID: i, ARN: arn}}
			if err := save(context.Background(), &engine.Account{Engine: e}, keyspace.TransferImport, i, arn, x,
				all); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if n := len(all.All()); n != jobs {
		t.Errorf("%d of %d descriptions are kept", n, jobs)
	}
}
