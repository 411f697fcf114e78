package s3

import (
	"bufio"
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzName checks that a key's path is local, and that the key can be read from it.
func FuzzName(f *testing.F) {
	for _, key := range []string{"a", "a/b", "", "/", "..", "../a", "a/./b", "%", "%41", "a\x00b", "é", "a.", "a ",
		"\xff", `a\b`} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		path, ok := pathOf(key)
		if !ok {
			return
		}
		if !filepath.IsLocal(path) || strings.ContainsAny(path, "\x00\\") {
			t.Fatalf("%q has the path %q", key, path)
		}
		var segments []string
		for _, name := range strings.Split(path, "/") {
			segment, ok := segmentOf(name)
			if !ok {
				t.Fatalf("%q has the path %q, which is of no key", key, path)
			}
			segments = append(segments, segment)
		}
		if got := strings.Join(segments, "/"); got != key {
			t.Fatalf("%q has the path %q, which is that of %q", key, path, got)
		}
	})
}

// FuzzChunks checks that no chunked body makes the reader panic or return more than was sent.
func FuzzChunks(f *testing.F) {
	f.Add([]byte("3\r\nabc\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n"))
	f.Add([]byte("ffffffffffffffff\r\nabc"))
	f.Add([]byte("3;chunk-signature=1\r\nabc0\r\n"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		c := &chunkReader{from: bufio.NewReaderSize(bytes.NewReader(sent), maxChunkLine)}
		text, err := io.ReadAll(c)
		if len(text) > len(sent) || len(c.trailers) > maxTrailers || err != nil && err != io.ErrUnexpectedEOF {
			t.Fatalf("%d bytes of %d, %v", len(text), len(sent), err)
		}
	})
}
