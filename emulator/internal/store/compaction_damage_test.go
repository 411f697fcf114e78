package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
	"github.com/tabletop-db/tabletop/internal/testutil/textlog"
)

const (
	compactionSeeds = 6   // in the unit suite
	compactedItems  = 300 // of 20 KB, written before the damage
	mostRewrites    = 16  // of every item: each fills a memtable, and four tables over the same keys are compacted
)

func compactedKey(i int) string { return fmt.Sprintf("item-%04d", i) }

// compactedValue returns an item's value in a round of writes.
func compactedValue(i, round int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%04d/%02d ", i, round), 20_000/8)
}

// TestDamageFoundDuringACompaction damages one table of a running store, by seed, that only compactions read. The store
// reports the file and its keys, refuses writes from then on, reads other tables, and closes. No acknowledged update is
// silently lost or wrong, then or after a restart.
func TestDamageFoundDuringACompaction(t *testing.T) {
	t.Parallel()
	seeds.Run(t, compactionSeeds, func(t *testing.T, seed uint64) {
		t.Parallel()
		rng := rand.New(rand.NewPCG(seed, 11))
		dir, disk, rounds := t.TempDir(), newFaultyDisk(), make([]int, compactedItems)
		s, err := openOn(dir, disk, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(rewrite(s, 0, rounds), s.Close()); err != nil {
			t.Fatal(err)
		}
		var said textlog.Log
		s, err = store.Open(store.Options{Dir: dir, Disk: disk, Logger: slog.New(slog.NewTextHandler(&said, nil))})
		if err != nil {
			t.Fatal(err)
		}
		damaged, kind := damageTable(t, rng, s, disk, dir)
		t.Log(damaged, kind)
		await.Return(t, "writing over a damaged table", func() {
			for round := 1; round <= mostRewrites && err == nil; round++ {
				err = rewrite(s, round, rounds)
			}
		})
		checkMet(t, s, err, damaged)
		checkRounds(t, "after the damage", s, rounds)
		await.Return(t, "closing", func() { _ = s.Close() })
		if n := strings.Count(said.String(), "the store accepts no writes"); n != 1 {
			t.Errorf("the damage is logged %d times: %s", n, said.String())
		}
		disk.set(fault{})
		again, err := openOn(dir, disk, 0)
		if err != nil {
			t.Log("after a restart:", err)
			var refusal *store.OpenError
			if !errors.As(err, &refusal) {
				t.Errorf("the restart is refused with %T: %v", err, err)
			}
			return
		}
		checkRounds(t, "after a restart", again, rounds)
		await.Return(t, "closing again", func() { _ = again.Close() })
	})
}

// rewrite writes every item with the value of a round until a write is refused, and records the acknowledged rounds.
func rewrite(s *store.Store, round int, rounds []int) error {
	for i := range rounds {
		err := s.Update(store.Latch([]byte(compactedKey(i))), func(tx *store.Tx) error {
			return tx.Set([]byte(compactedKey(i)), compactedValue(i, round))
		})
		if err != nil {
			return err
		}
		rounds[i] = round
	}
	return nil
}

// damageTable damages a table of the database, or makes the disk refuse to read it, and returns what it did. It waits
// until no compaction runs: one that has read the table already would drop it without meeting the damage.
func damageTable(t *testing.T, rng *rand.Rand, s *store.Store, disk *faultyDisk, dir string) (name, kind string) {
	t.Helper()
	var tables []string
	await.True(t, "tables that no compaction is reading", func() (found bool) {
		var err error
		if tables, err = s.IdleTables(); err != nil {
			t.Fatal(err)
		}
		return len(tables) > 0
	})
	name = dir + "/data/" + tables[rng.IntN(len(tables))]
	switch rng.IntN(4) {
	case 0:
		disk.set(fault{at: 1, err: broken, reads: true, only: func(_, at string) bool { return at == name }})
		return name, "cannot be read"
	case 1:
		kind = "second half zeroed"
	default:
		kind = "bit flipped"
	}
	info, err := disk.MemFS.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := disk.MemFS.OpenReadWrite(name, "test")
	if err != nil {
		t.Fatal(err)
	}
	content := make([]byte, info.Size())
	if _, err = f.ReadAt(content, 0); err == nil {
		// not at the ends, which the store may have in its cache: it has read whether the database is empty
		damages[kind](rng, content[len(content)/8:len(content)*7/8])
		_, err = f.WriteAt(content, 0)
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return name, kind
}

// checkMet checks that a write was refused because of a damaged table.
func checkMet(t *testing.T, s *store.Store, refusal error, table string) {
	t.Helper()
	var failure *store.Failure
	if !errors.As(refusal, &failure) || !failure.Damaged || !strings.HasSuffix(failure.Path, table) ||
		failure.FirstKey == nil || !isFailure(refusal) {
		t.Fatalf("the writes over a damaged table ended with %v, want a Failure that names %s and its keys", refusal, table)
	}
	t.Log(refusal)
	await.Return(t, "the wait for Failed", func() { <-s.Failed() }) // until then the failure may not be logged
	if s.Err() == nil || s.Err().Error() != refusal.Error() {
		t.Errorf("the writes ended with %v, and Err is %v", refusal, s.Err())
	}
	if err := s.Readable(); err != nil {
		t.Errorf("after damage to a table nothing is readable: %v", err)
	}
}

// checkRounds checks that every item has the last acknowledged value, or the next one, which was being written, or
// returns an error because of the damage; most items must be readable.
func checkRounds(t *testing.T, when string, s *store.Store, rounds []int) {
	t.Helper()
	read := 0
	for i, round := range rounds {
		err := s.Get([]byte(compactedKey(i)), func(value []byte, ok bool) error {
			if !ok || !bytes.Equal(value, compactedValue(i, round)) && !bytes.Equal(value, compactedValue(i, round+1)) {
				return errWrong
			}
			return nil
		})
		var unread *store.ReadError
		switch {
		case err == nil:
			read++
		case errors.Is(err, errWrong):
			t.Errorf("%s item %d is gone or has another value", when, i)
		case !isFailure(err) && !errors.As(err, &unread):
			t.Errorf("%s item %d is answered by %v", when, i, err)
		}
	}
	if read < len(rounds)/4 { // the damaged table, of at most 4 MiB, holds up to 209 of them
		t.Errorf("%s only %d of %d items can be read", when, read, len(rounds))
	}
}
