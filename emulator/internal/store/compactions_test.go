package store_test

import (
	"errors"
	"path"
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestARefusedOpeningLeavesNoScheduler refuses each listing of the database's folder in an opening, the last of them
// after Pebble has started its scheduler of compactions: none runs on in the background. It is not parallel, because it
// counts goroutines.
func TestARefusedOpeningLeavesNoScheduler(t *testing.T) {
	dir, disk := t.TempDir(), newFaultyDisk()
	s, err := openOn(dir, disk, 0)
	if err == nil {
		err = errors.Join(tryPut(s, "key", "value"), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	before := schedulers()
	for at := 1; ; at++ {
		disk.set(fault{at: at, err: broken, once: true, reads: true, only: func(op, name string) bool {
			return op == "list" && path.Base(name) == "data"
		}})
		s, err := openOn(dir, disk, 0)
		if err == nil {
			if err := s.Close(); err != nil || at < 4 {
				t.Errorf("with %d listings: %v", at-1, err)
			}
			return
		}
		var refusal *store.OpenError
		if !errors.As(err, &refusal) {
			t.Errorf("without listing %d: %v", at, err)
		}
		await.True(t, "the scheduler has ended", func() bool { return schedulers() <= before })
	}
}

// schedulers returns how many schedulers of compactions run.
func schedulers() int {
	stacks := make([]byte, 8<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "store.(*compactions).run(")
}
