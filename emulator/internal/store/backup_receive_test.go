package store_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// knownBackup returns a stream and its size, from a folder with its root key in it.
func knownBackup(t *testing.T) (stream []byte, size int64) {
	t.Helper()
	s := open(t, t.TempDir())
	defer s.Close()
	put(t, s, "key", "value")
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	return stream, size
}

// receiveNothing checks that a stream is refused with a one-line error, and that nothing is left of it.
func receiveNothing(t *testing.T, what string, in io.Reader, size int64) error {
	t.Helper()
	parent := t.TempDir()
	_, err := store.Receive(t.Context(), in, size, store.Options{Dir: filepath.Join(parent, "backup")})
	if err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v, want a refusal in one line", what, err)
	}
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("%s: %v is left", what, left)
	}
	return err
}

// TestTruncatedStreamIsRefused truncates a stream at many places.
func TestTruncatedStreamIsRefused(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	end := len(bytes.TrimRight(stream, "\x00")) // of the marker
	for at := end - 1; at >= 0; at -= 997 {
		var cut *store.StreamError
		if err := receiveNothing(t, "a cut stream", bytes.NewReader(stream[:at]), size); !errors.As(err, &cut) {
			t.Errorf("cut at %d of %d: %v", at, len(stream), err)
		}
	}
}

// TestChangedStreamIsRefused changes a byte of each entry's content in turn.
func TestChangedStreamIsRefused(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	var at int64
	for archive, in := tarOf(stream); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		at = int64(len(stream)) - int64(in.Len())
		if header.Size == 0 {
			continue
		}
		changed := bytes.Clone(stream)
		changed[at+header.Size/2] ^= 1
		receiveNothing(t, header.Name+" was changed", bytes.NewReader(changed), size)
	}
}

func tarOf(stream []byte) (*tar.Reader, *bytes.Reader) {
	in := bytes.NewReader(stream)
	return tar.NewReader(in), in
}

// TestHostileStreamsAreRefused sends entries that a backup does not have: nothing is written outside of the folder, or
// left behind.
func TestHostileStreamsAreRefused(t *testing.T) {
	t.Parallel()
	file := func(name string, size int64) *tar.Header {
		return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600}
	}
	for what, headers := range map[string][]*tar.Header{
		"a path upwards":          {file("../evil", 1)},
		"a path upwards in data":  {file("data/../../evil.sst", 1)},
		"an absolute path":        {file("/tmp/evil", 1)},
		"a path of Windows":       {file(`data\..\..\evil.sst`, 1)},
		"a drive of Windows":      {file("data/C:evil.sst", 1)},
		"a folder below data":     {file("data/x/000001.sst", 1)},
		"no name":                 {file("", 1)},
		"another file":            {file("authorized_keys", 1)},
		"another file in data":    {file("data/LOCK", 1)},
		"a hidden file":           {file("data/.profile", 1)},
		"a line break":            {file("data/000001.sst\nx", 1)},
		"a symbolic link":         {{Typeflag: tar.TypeSymlink, Name: "data/000001.sst", Linkname: "/etc/passwd"}},
		"a hard link":             {{Typeflag: tar.TypeLink, Name: "data/000001.sst", Linkname: "/etc/passwd"}},
		"a folder":                {{Typeflag: tar.TypeDir, Name: "data/000001.sst"}},
		"a device":                {{Typeflag: tar.TypeChar, Name: "data/000001.sst"}},
		"a pipe":                  {{Typeflag: tar.TypeFifo, Name: "data/000001.sst"}},
		"a giant file":            {file("data/000001.sst", 1<<60)},
		"more than was announced": {file("data/000001.sst", 600), file("data/000002.sst", 600)},
		"a giant marker":          {file("FORMAT", 1<<40)},
		"a giant summary":         {file("BACKUP", 1<<40)},
		"a file twice":            {file("data/000001.sst", 1), file("data/000001.sst", 1)},
		"a file twice but for case": {file("data/OPTIONS-1", 1), file("data/OPTIONS-1.sst", 1),
			file("data/OPTIONS-1.SST", 1)},
		"the marker first":            {file("FORMAT", 1)},
		"a file after the summary":    {file("BACKUP", 2), file("data/000001.sst", 1)},
		"two summaries":               {file("BACKUP", 2), file("BACKUP", 2)},
		"a file after the marker":     {file("BACKUP", 2), file("FORMAT", 1), file("data/000001.sst", 1)},
		"a summary that says nothing": {file("BACKUP", 2), file("FORMAT", 1)},
		"nothing":                     {},
	} {
		var out bytes.Buffer
		archive := tar.NewWriter(&out)
		for _, h := range headers {
			if err := archive.WriteHeader(h); err != nil {
				t.Fatal(what, err)
			}
			if h.Size < 1000 {
				_, _ = archive.Write([]byte(strings.Repeat("{}", 500)[:h.Size]))
			}
		}
		_ = archive.Close() // giant entries are incomplete
		var refusal *store.StreamError
		if err := receiveNothing(t, what, &out, 1000); !errors.As(err, &refusal) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestSparseEntriesAreRefused sends a file that expands to more than is sent. Go writes no sparse files, so the test
// overwrites another record of the same length.
func TestSparseEntriesAreRefused(t *testing.T) {
	t.Parallel()
	record := func(text string) string { return fmt.Sprintf("%d %s\n", len(text)+4, text) }
	sparse := record("GNU.sparse.map=0,512") + record("GNU.sparse.size=4000") + record("GNU.sparse.numblocks=1")
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	filler := strings.Repeat("x", len(sparse)-len(record("TABLETOP.x=")))
	err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "data/000001.sst", Size: 512,
		PAXRecords: map[string]string{"TABLETOP.x": filler}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write(make([]byte, 512)); err != nil {
		t.Fatal(err)
	}
	stream := bytes.Replace(out.Bytes(), []byte(record("TABLETOP.x="+filler)), []byte(sparse), 1)
	if err := receiveNothing(t, "a sparse file", bytes.NewReader(stream), 4096); err != nil &&
		!strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
}

// TestReceiveDoesNotOverwriteAFolder receives into existing folders.
func TestReceiveDoesNotOverwriteAFolder(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	parent := t.TempDir()
	taken, partial := filepath.Join(parent, "taken"), filepath.Join(parent, "free.partial")
	thesis := filepath.Join(partial, "thesis.txt")
	if err := errors.Join(os.Mkdir(taken, 0o700), os.Mkdir(partial, 0o700), os.WriteFile(thesis, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{taken, filepath.Join(parent, "free")} {
		var refusal *store.OpenError
		if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, store.Options{Dir: name}); !errors.As(err,
			&refusal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names, err := os.ReadDir(partial); err != nil || len(names) != 1 {
		t.Errorf("the other folder has %v, %v", names, err)
	}
}

// TestReceiveRemovesWhatAKilledReceiverLeft receives after a receiving process was killed.
func TestReceiveRemovesWhatAKilledReceiverLeft(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	dir := filepath.Join(t.TempDir(), "backup")
	old := filepath.Join(dir+".partial", "data")
	if err := errors.Join(os.MkdirAll(old, 0o700), os.WriteFile(filepath.Join(old, "000099.sst"), []byte("half"), 0o600),
		os.WriteFile(filepath.Join(dir+".partial", "LOCK"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	refused(t, dir+".partial", "contains other files, such as LOCK")
	if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, store.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "000099.sst")); err == nil {
		t.Error("what was left went into the new folder")
	}
	if _, err := os.Stat(dir + ".partial"); err == nil {
		t.Error("the partial folder is still there")
	}
	if got, err := contents(open(t, dir)); err != nil || got["key"] != "value" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestReceivingEndsWithItsRequest cancels the context in the middle of a stream.
func TestReceivingEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	stream, size := knownBackup(t)
	parent := t.TempDir()
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("interrupted")
	_, err := store.Receive(ctx, io.MultiReader(bytes.NewReader(stream[:2000]), readerFunc(func([]byte) (int, error) {
		cancel(gone)
		return 0, io.ErrUnexpectedEOF
	})), size, store.Options{Dir: filepath.Join(parent, "backup")})
	if left, _ := os.ReadDir(parent); !errors.Is(err, gone) || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestReceiveFailsOnADiskError refuses each operation of receiving a backup. A folder that has its final name is
// complete.
func TestReceiveFailsOnADiskError(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "desk.key")
	s, err := store.Open(store.Options{Dir: t.TempDir(), RootKey: key})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "key", "value")
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	const dir = "/backups/monday"
	for i, f := range backupFaults() {
		for f.at = 1; ; f.at++ {
			disk := newFaultyDisk()
			disk.set(f)
			to := store.Options{Dir: dir, Disk: disk, RootKey: key}
			_, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to)
			_, hit := disk.count()
			disk.set(fault{})
			if hit == "" {
				if err != nil || f.at < 20 {
					t.Errorf("fault %d: after %d operations: %v", i, f.at, err)
				}
				break
			}
			_, there := disk.Stat(dir)
			if err == nil || there == nil {
				checkReceived(t, hit, to)
			}
		}
	}
}

// checkReceived opens a folder on a disk in memory, as it is and after a power cut.
func checkReceived(t *testing.T, what string, to store.Options) {
	t.Helper()
	s, err := store.Open(to)
	if err != nil {
		t.Errorf("%s refused: the backup is there, and does not open: %v", what, err)
		return
	}
	defer s.Close()
	if got, err := contents(s); err != nil || got["key"] != "value" {
		t.Errorf("%s refused: %v, %v", what, got, err)
	}
}

// TestAPowerCutAfterReceiving cuts the power right after a backup was received.
func TestAPowerCutAfterReceiving(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "desk.key")
	s, err := store.Open(store.Options{Dir: t.TempDir(), RootKey: key})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put(t, s, "key", "value")
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	disk := newFaultyDisk()
	to := store.Options{Dir: "/backups/monday", Disk: disk, RootKey: key}
	if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to); err != nil {
		t.Fatal(err)
	}
	to.Disk = &faultyDisk{MemFS: disk.CrashClone(vfs.CrashCloneCfg{})}
	checkReceived(t, "the power cut", to)
}

// TestReceivingKeepsTheFloorOfFreeSpace checks that a backup that would take the receiver's disk below its floor is
// refused before it is written, and that a running one ends there.
func TestReceivingKeepsTheFloorOfFreeSpace(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	s := open(t, t.TempDir())
	for i := range 300 {
		put(t, s, fmt.Sprint(i), strings.Repeat("x", 20_000)) // more than is written between two checks of the free space
	}
	stream, size, err := backUp(s)
	if err != nil {
		t.Fatal(err)
	}
	disk := newFaultyDisk()
	disk.setUsage(64*mb+uint64(size)-1, 10_000*mb)
	to := store.Options{Dir: "/backups/monday", Disk: disk, MinFree: 64 * mb}
	var full *store.SpaceError
	if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to); !errors.As(err, &full) ||
		full.Backup != uint64(size) {
		t.Errorf("a backup that does not fit: %v", err)
	}
	disk.setUsage(1000*mb, 10_000*mb)
	disk.set(fault{at: 1, only: func(op, name string) bool { // called with the disk locked
		if op == "write" && strings.Contains(name, "/data/") {
			disk.usage.AvailBytes = 10 * mb
		}
		return false
	}})
	if _, err := store.Receive(t.Context(), bytes.NewReader(stream), size, to); !errors.As(err, &full) ||
		full.Backup != 0 {
		t.Errorf("a backup while the disk fills up: %v", err)
	}
	if names, err := disk.List("/backups"); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}
