package store

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// countedFile counts reads, and fails those that reach the offset bad.
type countedFile struct {
	vfs.File
	reads int
	bad   int64 // 0: none
	err   error // nil: errBadSector
}

var errBadSector = errors.New("bad sector")

func (f *countedFile) ReadAt(p []byte, offset int64) (int, error) {
	f.reads++
	if f.bad > 0 && offset <= f.bad && f.bad < offset+int64(len(p)) {
		return 0, cmp.Or(f.err, errBadSector)
	}
	return f.File.ReadAt(p, offset)
}

// newAheadFile returns a file with random content that is read ahead, and what is below it.
func newAheadFile(t *testing.T, size int) (*aheadFile, *countedFile, []byte) {
	t.Helper()
	content := make([]byte, size)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range content {
		content[i] = byte(rng.Uint32())
	}
	fs := vfs.NewMem()
	w, err := fs.Create("000001.sst", vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(bytes.Clone(content)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	r, err := fs.Open("000001.sst")
	if err != nil {
		t.Fatal(err)
	}
	below := &countedFile{File: r}
	f := &aheadFile{File: below}
	t.Cleanup(func() { _ = f.Close() })
	return f, below, content
}

// TestReadingAheadReadsWhatTheFileHas reads a file in order, with gaps, backwards and beyond its end: each read returns
// what the file returns without reading ahead.
func TestReadingAheadReadsWhatTheFileHas(t *testing.T) {
	t.Parallel()
	f, _, content := newAheadFile(t, 5*aheadRead+777)
	rng := rand.New(rand.NewPCG(3, 4))
	offset := 0
	for range 5000 {
		switch rng.IntN(10) {
		case 0:
			offset = rng.IntN(len(content) + 100)
		case 1:
			offset += rng.IntN(2 * aheadGap)
		case 2:
			offset = max(0, offset-rng.IntN(20_000))
		}
		p := make([]byte, 1+rng.IntN([]int{100, 5000, 2 * aheadRead}[rng.IntN(3)]))
		n, err := f.ReadAt(p, int64(offset))
		want := content[min(offset, len(content)):min(offset+len(p), len(content))]
		if !bytes.Equal(p[:n], want) || (n < len(p)) != (err == io.EOF) || err != nil && err != io.EOF {
			t.Fatalf("%d bytes at %d: got %d, want %d; %v", len(p), offset, n, len(want), err)
		}
		if offset += n; offset >= len(content) {
			offset = 0
		}
	}
}

// TestReadingAheadTakesFewReads reads a table's index and then its blocks in order.
func TestReadingAheadTakesFewReads(t *testing.T) {
	t.Parallel()
	f, below, content := newAheadFile(t, 4<<20)
	p := make([]byte, 4<<10)
	for _, offset := range append([]int{len(content) - len(p)}, multiples(len(p), len(content))...) {
		if _, err := f.ReadAt(p, int64(offset)); err != nil || !bytes.Equal(p, content[offset:offset+len(p)]) {
			t.Fatal(offset, err)
		}
	}
	if limit := len(content)/aheadRead + 4; below.reads > limit {
		t.Errorf("%d reads, want at most %d", below.reads, limit)
	}
}

// TestOnlyWhatIsNeededMayFail reads a file with a part that cannot be read: all other parts can.
func TestOnlyWhatIsNeededMayFail(t *testing.T) {
	t.Parallel()
	f, below, content := newAheadFile(t, 2*aheadRead)
	p := make([]byte, 4<<10)
	below.bad = 10*int64(len(p)) + 5
	for _, offset := range multiples(len(p), len(content)) {
		_, err := f.ReadAt(p, int64(offset))
		bad := offset == 10*len(p)
		if errors.Is(err, errBadSector) != bad || !bad && !bytes.Equal(p, content[offset:offset+len(p)]) {
			t.Errorf("at %d: %v", offset, err)
		}
	}
}

// TestABadRegionIsReadAheadOnce counts the reads of a region that cannot be read, each of which may take long.
func TestABadRegionIsReadAheadOnce(t *testing.T) {
	t.Parallel()
	f, below, content := newAheadFile(t, aheadRead)
	p := make([]byte, 4<<10)
	below.bad = int64(len(content)) - 1
	for _, offset := range multiples(len(p), len(content)-len(p)) {
		if _, err := f.ReadAt(p, int64(offset)); err != nil {
			t.Fatal(err)
		}
	}
	if want := 1 + len(content)/len(p) - 1; below.reads != want {
		t.Errorf("%d reads, want %d", below.reads, want)
	}
}

// TestAReadThatWasNotAnsweredIsNotRepeated makes the disk leave a read unanswered: the caller has waited once.
func TestAReadThatWasNotAnsweredIsNotRepeated(t *testing.T) {
	t.Parallel()
	f, below, _ := newAheadFile(t, aheadRead)
	below.bad, below.err = 1, errNotAnswered
	if _, err := f.ReadAt(make([]byte, 10), 0); err != errNotAnswered || below.reads != 1 {
		t.Errorf("%d reads: %v", below.reads, err)
	}
}

func multiples(step, below int) (all []int) {
	for n := 0; n < below; n += step {
		all = append(all, n)
	}
	return all
}
