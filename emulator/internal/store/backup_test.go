package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// backUp takes a backup of a store and returns its stream and the size of its files.
func backUp(s *store.Store) (stream []byte, size int64, err error) {
	b, err := s.BeginBackup(context.Background())
	if err != nil {
		return nil, 0, err
	}
	defer b.Close()
	var out bytes.Buffer
	err = b.Write(context.Background(), &out)
	return out.Bytes(), b.Size(), err
}

// restored receives a backup as a folder and opens it.
func restored(t *testing.T, stream []byte, size int64, rootKey string) *store.Store {
	t.Helper()
	to := store.Options{Dir: filepath.Join(t.TempDir(), "backup"), RootKey: rootKey}
	got, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to)
	if err != nil {
		t.Fatal(err)
	}
	if got.Report == nil || got.Report.Damaged() || len(got.Report.Findings) > 0 {
		t.Fatalf("the backup's folder: %+v", got.Report)
	}
	s, err := store.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// pair updates two keys, which always exist together and have the same value.
func pair(s *store.Store, writer, n int) error {
	return s.Update(store.Latch(pairKey(writer, "left")), func(tx *store.Tx) error {
		value := fmt.Appendf(nil, "%d %s", n, strings.Repeat("x", 500))
		return errors.Join(tx.Set(pairKey(writer, "left"), value), tx.Set(pairKey(writer, "right"), value))
	})
}

func pairKey(writer int, name string) []byte { return fmt.Appendf(nil, "%02d %s", writer, name) }

// TestBackupHasAcknowledgedWritesAndNoPartialOnes takes backups of a store during writes. Each backup has every
// update that was acknowledged before it began, and none in part.
func TestBackupHasAcknowledgedWritesAndNoPartialOnes(t *testing.T) {
	t.Parallel()
	const writers = 4
	dir := t.TempDir()
	s := open(t, dir)
	var acked [writers]atomic.Int64
	var group sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		group.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				if err := pair(s, w, n); err != nil {
					t.Error(err)
					return
				}
				acked[w].Store(int64(n))
			}
		})
	}
	defer group.Wait()
	defer close(done)
	for round := range 5 {
		await.True(t, "the writers have written more", func() bool {
			for w := range writers {
				if acked[w].Load() < int64(200*(round+1)) {
					return false
				}
			}
			return true
		})
		var before [writers]int64
		for w := range writers {
			before[w] = acked[w].Load()
		}
		stream, size, err := backUp(s)
		if err != nil {
			t.Fatal(err)
		}
		checkPairs(t, restored(t, stream, size, ""), before[:])
	}
	if _, err := os.Stat(filepath.Join(dir, "backup.tmp")); !os.IsNotExist(err) {
		t.Errorf("the checkpoint was left behind: %v", err)
	}
}

// checkPairs checks that a store has at least the acknowledged updates.
func checkPairs(t *testing.T, s *store.Store, atLeast []int64) {
	t.Helper()
	all, err := contents(s)
	if err != nil {
		t.Fatal(err)
	}
	for w, least := range atLeast {
		left, right := all[string(pairKey(w, "left"))], all[string(pairKey(w, "right"))]
		var n int64
		if _, err := fmt.Sscan(left, &n); err != nil || left != right || n < least {
			t.Errorf("writer %d has %.10q and %.10q in the backup, want %d or more in both", w, left, right, least)
		}
	}
}

// TestABackupOfManyTables takes a backup with many tables, a manifest of many edits and several logs.
func TestABackupOfManyTables(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	for i := range 1500 {
		put(t, s, fmt.Sprintf("key %04d", i*7919%1500), strings.Repeat("x", 20_000))
	}
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	want, err := contents(s)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(stream, []byte(".sst")) {
		t.Error("the backup has no tables")
	}
	got, err := contents(restored(t, stream, size, ""))
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("the backup differs: %v %s", err, differences(got, want))
	}
}

// TestOneBackupAtATime checks that a second backup is refused, that updates continue, and that another one succeeds
// after the first.
func TestOneBackupAtATime(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	put(t, s, "key", "value")
	first, err := s.BeginBackup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.BeginBackup(t.Context()); !errors.Is(err, store.ErrBackupRunning) {
		t.Errorf("a second backup: %v", err)
	}
	put(t, s, "key", "while the backup is under way")
	first.Close()
	second, err := s.BeginBackup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := second.Write(t.Context(), io.Discard); err != nil {
		t.Error(err)
	}
}

// TestOnlyFoldersAreBackedUp requests backups of a store in memory and of a closed one.
func TestOnlyFoldersAreBackedUp(t *testing.T) {
	t.Parallel()
	memory, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	if _, err := memory.BeginBackup(t.Context()); !errors.Is(err, store.ErrInMemory) {
		t.Errorf("in memory: %v", err)
	}
	closed, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := closed.BeginBackup(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestRootKeyOfABackup takes backups of a folder with its root key in it, which is copied, and of one with its root key
// elsewhere, which is not. The stream and the checkpoint have no plaintext.
func TestRootKeyOfABackup(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []bool{false, true} {
		dir, key := t.TempDir(), ""
		if elsewhere {
			key = filepath.Join(t.TempDir(), "desk.key")
		}
		s, err := store.Open(store.Options{Dir: dir, Encrypt: true, RootKey: key})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		put(t, s, "a secret key", "a secret value")
		stream, size, err := backUp(s)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(stream, []byte("secret")) || bytes.Contains(stream, []byte("root.key")) == elsewhere {
			t.Errorf("root key elsewhere %v: what is sent can be read, or has the key, or lacks it", elsewhere)
		}
		if got, err := contents(restored(t, stream, size, key)); err != nil || got["a secret key"] != "a secret value" {
			t.Errorf("%v, %v", got, err)
		}
		if elsewhere {
			got, err := store.Receive(t.Context(), bytes.NewReader(stream), size,
				store.Options{Dir: filepath.Join(t.TempDir(), "blind")})
			if err != nil || got.Report != nil {
				t.Errorf("received without the root key: %+v, %v", got, err)
			}
		}
	}
}

// TestLeftoversOfBackupsAreRemoved opens a folder in which a process was killed during a backup.
func TestLeftoversOfBackupsAreRemoved(t *testing.T) {
	t.Parallel()
	dir := knownFolders()["killed"].write(t)
	left := filepath.Join(dir, "backup.tmp", "data")
	if err := errors.Join(os.MkdirAll(left, 0o700), os.WriteFile(filepath.Join(left, "000004.sst"), []byte("half"),
		0o600)); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if err := readKnown(s); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(left)); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
