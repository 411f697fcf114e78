package store

import (
	"bytes"
	"io"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"
)

func testCipherFS(t rapid.TB) (*cipherFS, *vfs.MemFS) {
	mem := vfs.NewMem()
	fs, err := newCipherFS(mem, make([]byte, keySize))
	if err != nil {
		t.Fatal(err)
	}
	return fs, mem
}

// TestCipherFilesReadBackWhatWasWritten writes in pieces and reads at any offset, sequentially, and to the end.
func TestCipherFilesReadBackWhatWasWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fs, mem := testCipherFS(t)
		var want []byte
		f, err := fs.Create("f", vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 100)).Draw(t, "pieces") {
			want = append(want, piece...)
			if _, err := f.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		checkContent(t, fs, want)
		if raw := content(t, mem, "f"); len(want) > 20 && bytes.Contains(raw, want[len(want)-20:]) {
			t.Errorf("the end of the content is in the file as it is")
		}
	})
}

func checkContent(t *rapid.T, fs vfs.FS, want []byte) {
	f, err := fs.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != int64(len(want)) {
		t.Errorf("the size is %v, %v, want %d", info.Size(), err, len(want))
	}
	if info, err := fs.Stat("f"); err != nil || info.Size() != int64(len(want)) {
		t.Errorf("by its name the size is %v, %v, want %d", info.Size(), err, len(want))
	}
	offset := rapid.IntRange(0, len(want)).Draw(t, "offset")
	part := make([]byte, rapid.IntRange(0, 200).Draw(t, "length"))
	n, err := f.ReadAt(part, int64(offset))
	if rest := want[offset:]; err != nil && err != io.EOF || n != min(len(rest), len(part)) ||
		!bytes.Equal(part[:n], rest[:n]) {
		t.Errorf("at %d there are %d bytes, %v", offset, n, err)
	}
	if all := content(t, fs, "f"); !bytes.Equal(all, want) {
		t.Errorf("%d bytes were read, want %d", len(all), len(want))
	}
}

func content(t rapid.TB, fs vfs.FS, name string) []byte {
	t.Helper()
	f, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t rapid.TB, f vfs.File, err error, text string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestReusedFilesHaveAnotherKeyStream writes the same text twice: with the same key stream the files would be equal.
func TestReusedFilesHaveAnotherKeyStream(t *testing.T) {
	t.Parallel()
	fs, mem := testCipherFS(t)
	f, err := fs.Create("old", vfs.WriteCategoryUnspecified)
	write(t, f, err, "the same text")
	before := content(t, mem, "old")
	f, err = fs.ReuseForWrite("old", "new", vfs.WriteCategoryUnspecified)
	write(t, f, err, "the same text")
	after := content(t, mem, "new")
	if len(before) != len(after) || bytes.Equal(before[cipherHeader:], after[cipherHeader:]) {
		t.Error("the second file is encrypted as the first one was")
	}
	if _, err := fs.Open("old"); err == nil {
		t.Error("the old name is still there")
	}
}

// TestFilesCutShortAreEmpty opens what a power cut leaves of a file before its first sync.
func TestFilesCutShortAreEmpty(t *testing.T) {
	t.Parallel()
	fs, mem := testCipherFS(t)
	for name, left := range map[string]string{"nothing": "", "half a header": "TTE1abc",
		"zeros": string(make([]byte, 100))} {
		f, err := mem.Create(name, vfs.WriteCategoryUnspecified)
		write(t, f, err, left)
		if got := content(t, fs, name); len(got) != 0 {
			t.Errorf("%s: %d bytes were read", name, len(got))
		}
	}
	f, err := mem.Create("plain", vfs.WriteCategoryUnspecified)
	write(t, f, err, "a text that nobody encrypted")
	if _, err := fs.Open("plain"); err == nil {
		t.Error("a plain file was opened as an encrypted one")
	}
}
