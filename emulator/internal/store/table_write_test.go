package store

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// writtenFile records writes and syncs.
type writtenFile struct {
	vfs.File
	content []byte
	writes  []int // their lengths
	synced  int   // bytes written before the last sync
	refuse  error
	wrote   func() // nil, or called after each write
}

func (f *writtenFile) Write(p []byte) (int, error) {
	if f.refuse != nil {
		return 0, f.refuse
	}
	f.content, f.writes = append(f.content, p...), append(f.writes, len(p))
	if f.wrote != nil {
		f.wrote()
	}
	return len(p), nil
}

func (f *writtenFile) SyncData() error { f.synced = len(f.content); return nil }
func (f *writtenFile) Sync() error     { f.synced = len(f.content); return nil }
func (f *writtenFile) Close() error    { return nil }
func (f *writtenFile) SyncTo(int64) (bool, error) {
	f.synced = len(f.content)
	return true, nil
}

func newGuardedTable(disk vfs.File) (*guardFile, *condition) {
	return newGuarded("000001.sst", disk, io.Discard)
}

// TestATableIsWrittenInLargePieces writes blocks of a table: the disk gets all of them, in pieces of writeSize until a
// sync, and a sync covers everything before it.
func TestATableIsWrittenInLargePieces(t *testing.T) {
	t.Parallel()
	disk := &writtenFile{}
	f, c := newGuardedTable(disk)
	var want []byte
	block := func(size int) {
		t.Helper()
		p := bytes.Repeat([]byte{byte(len(want))}, size)
		want = append(want, p...)
		if n, err := f.Write(p); n != size || err != nil {
			t.Fatal(n, err)
		}
	}
	for len(want) < 2*writeSize {
		block(4101)
	}
	block(3 * writeSize)
	for _, length := range disk.writes {
		if length != writeSize {
			t.Errorf("the table was written in pieces of %v bytes", disk.writes)
			break
		}
	}
	if full, err := f.SyncTo(int64(len(want))); full || err != nil {
		t.Errorf("a sync of what is written says that it synced everything: %v", err)
	}
	for _, sync := range []func() error{f.SyncData, f.Sync} {
		block(10)
		if err := sync(); err != nil || disk.synced != len(want) {
			t.Errorf("%d of %d bytes are synced: %v", disk.synced, len(want), err)
		}
	}
	if full, err := f.SyncTo(int64(len(want))); !full || err != nil {
		t.Errorf("everything is synced, but the sync does not say so: %v", err)
	}
	block(10)
	if err := f.Close(); err != nil || c.err() != nil {
		t.Error(err, c.err())
	}
	if !bytes.Equal(disk.content, want) {
		t.Errorf("the disk has %d bytes, want %d", len(disk.content), len(want))
	}
}

// TestATableWhoseLastBytesAreRefusedIsLost refuses what a sync writes: the sync must not succeed.
func TestATableWhoseLastBytesAreRefusedIsLost(t *testing.T) {
	t.Parallel()
	disk := &writtenFile{refuse: errors.New("no space")}
	f, c := newGuardedTable(disk)
	if _, err := f.Write([]byte("block")); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); !errors.Is(err, errTableLost) || c.err() == nil {
		t.Errorf("the sync returned %v, the store's failure is %v", err, c.err())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestALargeBlockEndsWhenTheStoreFails writes a block of several pieces, while the disk refuses another file.
func TestALargeBlockEndsWhenTheStoreFails(t *testing.T) {
	t.Parallel()
	disk := &writtenFile{}
	f, c := newGuardedTable(disk)
	disk.wrote = func() { c.fail(&Failure{Op: "sync", Path: "000002.log", Err: errors.New("no space")}) }
	if _, err := f.Write(make([]byte, 3*writeSize)); !errors.Is(err, errTableLost) || len(disk.writes) != 1 {
		t.Errorf("%d pieces were written: %v", len(disk.writes), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestACompactionThatIsStoppedWritesNothingMore fills the disk while a compaction writes a table. Pebble syncs and
// closes the table before it removes it.
func TestACompactionThatIsStoppedWritesNothingMore(t *testing.T) {
	t.Parallel()
	disk := &writtenFile{}
	f, c := newGuardedTable(disk)
	f.compaction, f.guard.space = true, &spaceWatch{}
	f.guard.space.space.Store(&Space{})
	if _, err := f.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	f.guard.space.space.Store(&Space{Full: true})
	if _, err := f.Write(make([]byte, 100)); !errors.Is(err, errNoSpaceToCompact) {
		t.Error(err)
	}
	if err := errors.Join(f.SyncData(), f.Close()); err != nil || c.err() != nil || len(disk.writes) > 0 {
		t.Errorf("%d writes: %v, %v", len(disk.writes), err, c.err())
	}
}
