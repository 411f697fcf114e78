package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/internal/testutil/race"
)

func TestKeyFilterHasNoFalseNegatives(t *testing.T) {
	t.Parallel()
	const keys = 10 * firstGeneration // for three generations
	s := newKeyFilter()
	key := func(i int) []byte { return binary.BigEndian.AppendUint64([]byte("key"), uint64(i)) }
	for i := range keys {
		s.add(key(i))
	}
	for i := range keys {
		if !s.mayContain(xxhash.Sum64(key(i))) {
			t.Fatalf("key %d was added, and is not there", i)
		}
	}
	passed := 0
	for i := range keys {
		if s.mayContain(xxhash.Sum64(key(keys + i))) {
			passed++
		}
	}
	if passed > keys/100 {
		t.Errorf("%d of %d absent keys pass, want a hundredth at most", passed, keys)
	}
}

func TestFullKeyFilterContainsEveryKey(t *testing.T) {
	t.Parallel()
	s := newKeyFilter()
	s.addGeneration(lastGeneration * generationRatio)
	if !s.mayContain(xxhash.Sum64String("never added")) {
		t.Error("a full filter must answer maybe to everything")
	}
}

func TestTableFilesAcrossChunks(t *testing.T) {
	t.Parallel()
	fs := newTableFS()
	defer fs.release()
	want := bytes.Repeat([]byte("0123456789abcde"), 3*chunkSize/15)
	writeTable(t, fs, "1.sst", want)
	f, err := fs.Open("1.sst")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := fs.Remove("1.sst"); err != nil { // an open handle keeps the data
		t.Fatal(err)
	}
	writeTable(t, fs, "2.sst", make([]byte, 4*chunkSize))
	for _, c := range []struct{ from, to int }{{0, len(want)}, {chunkSize - 5, chunkSize + 5},
		{len(want) - 3, len(want)}} {
		got := make([]byte, c.to-c.from)
		if n, err := f.ReadAt(got, int64(c.from)); n != len(got) || err != nil || !bytes.Equal(got, want[c.from:c.to]) {
			t.Errorf("ReadAt [%d, %d) = %d, %v, or other bytes than were written", c.from, c.to, n, err)
		}
	}
	if n, err := f.ReadAt(make([]byte, 9), int64(len(want)-3)); n != 3 || !errors.Is(err, io.EOF) {
		t.Errorf("ReadAt past the end = %d, %v, want 3 and EOF", n, err)
	}
	if info, err := f.Stat(); err != nil || info.Size() != int64(len(want)) {
		t.Errorf("Stat = %v, %v, want size %d", info, err, len(want))
	}
	if _, err := fs.Open("1.sst"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of a removed table returned %v", err)
	}
}

func writeTable(t *testing.T, fs *tableFS, name string, content []byte) {
	t.Helper()
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	for rest := content; len(rest) > 0; {
		n := min(len(rest), 10_000)
		if _, err := f.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLatchesAreSortedWithoutRepetition(t *testing.T) {
	t.Parallel()
	for keys := range 3 * inlineLatches {
		names := make([][]byte, 0, 2*keys)
		for i := range 2 * keys {
			names = append(names, fmt.Appendf(nil, "key%d", i/2)) // each twice
		}
		l := Latch(names...)
		hashes := l.hashes()
		for i := 1; i < len(hashes); i++ {
			if hashes[i-1] >= hashes[i] {
				t.Errorf("the latches of %d keys are %v", keys, hashes)
			}
		}
		if len(hashes) != keys {
			t.Errorf("%d keys have %d latches", keys, len(hashes))
		}
	}
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	s, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key, other, value := []byte("key"), []byte("other"), make([]byte, 450)
	update := func() {
		err := s.Update(Latch(key, other), func(tx *Tx) error {
			if _, _, err := tx.Get(key); err != nil {
				return err
			}
			return tx.Set(key, value)
		})
		if err != nil {
			t.Error(err)
		}
	}
	get := func() {
		if err := s.Get(key, func([]byte, bool) error { return nil }); err != nil {
			t.Error(err)
		}
	}
	// A garbage collection may empty a pool in the middle, and a memtable may fill: less than one allocation per run is
	// not Update's own.
	if n := testing.AllocsPerRun(100, update); n >= 1 && !race.Enabled && !poison.On {
		t.Errorf("Update allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, get); n >= 1 && !race.Enabled && !poison.On {
		t.Errorf("Get allocates %v times", n)
	}
}

// A store that is larger than its memtable keeps its data in tables, and restores a batch that is larger too.
func TestMoreThanAMemtable(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"memory": "", "disk": t.TempDir()} {
		s, err := Open(Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		fill(t, s)
		checkFilled(t, name, s)
		snapshot, err := s.Snapshot()
		if err := errors.Join(err, s.Reset(), s.Restore(snapshot)); err != nil {
			t.Fatal(err)
		}
		checkFilled(t, name+", restored", s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	fillItems = 3 * memTable / fillSize
	fillSize  = 40_000
)

func fillKey(i int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(i)*0x9e3779b9+1) }

func fill(t *testing.T, s *Store) {
	for i := range fillItems {
		key := fillKey(i)
		err := s.Update(Latch(key), func(tx *Tx) error { return tx.Set(key, bytes.Repeat(key, fillSize/4)) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

func checkFilled(t *testing.T, name string, s *Store) {
	for i := range fillItems {
		err := s.Get(fillKey(i), func(value []byte, _ bool) error {
			if !bytes.Equal(value, bytes.Repeat(fillKey(i), fillSize/4)) {
				t.Errorf("%s: key %d has %d bytes, or others than were set", name, i, len(value))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
