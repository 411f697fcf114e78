package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestWritersDoNotWaitForCompactionsThatNeverRun holds the first compaction until so many tables overlap that writers
// wait for it. Then no compaction can run, because the disk refuses a write or is full: each update returns the
// reason, and Close releases the folder.
func TestWritersDoNotWaitForCompactionsThatNeverRun(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for name, c := range map[string]struct {
		stop func(t *testing.T, s *store.Store, disk *faultyDisk)
		want string
	}{
		"refused": {func(_ *testing.T, _ *store.Store, disk *faultyDisk) {
			disk.set(fault{at: 1, err: broken})
		}, "the store has stopped: cannot"},
		"full": {func(t *testing.T, s *store.Store, disk *faultyDisk) {
			disk.setUsage(mb, 10_000*mb)
			await.True(t, "the disk is full", func() bool { space, _ := s.Space(); return space.Full })
		}, "free space on it, and writes resume"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, disk := t.TempDir(), newFaultyDisk()
			disk.memTable = memTables[1]
			disk.setUsage(1000*mb, 10_000*mb)
			s, err := openOn(dir, disk, 64*mb)
			if err != nil {
				t.Fatal(err)
			}
			compact := make(chan struct{})
			disk.watchWith(func(_, name string) {
				if _, ok := disk.compacted.Load(name); ok {
					<-compact
				}
			})
			ended := make(chan error, 4)
			for range cap(ended) {
				go func() { ended <- putUntilRefused(s) }()
			}
			await.True(t, "writers wait for a compaction", s.WritersWait)
			c.stop(t, s, disk)
			close(compact)
			await.Return(t, "the updates", func() {
				for range cap(ended) {
					if err := <-ended; !strings.Contains(err.Error(), c.want) {
						t.Errorf("an update returned %v, want %q", err, c.want)
					}
				}
			})
			await.Return(t, "closing", func() { _ = s.Close() })
			disk.set(fault{})
			disk.setUsage(1000*mb, 10_000*mb)
			again, err := openOn(dir, disk, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// putUntilRefused writes tables that overlap until an update fails, and returns its error.
func putUntilRefused(s *store.Store) (err error) {
	value := make([]byte, 10_000)
	for err == nil {
		err = s.Update(store.Latch([]byte("first"), []byte("last")), func(tx *store.Tx) error {
			return errors.Join(tx.Set([]byte("first"), value), tx.Set([]byte("last"), value))
		})
	}
	return err
}
