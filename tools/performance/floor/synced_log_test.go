package floor

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestSyncedLogHasWhatItAcknowledged appends from many goroutines: when all have returned, the file has it all, once.
func TestSyncedLogHasWhatItAcknowledged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := openSyncedLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				if err := l.append(fmt.Appendf(nil, "<%d %d>", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	content, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil || len(content) != logSize {
		t.Fatalf("the file has %d bytes, want %d: %v", len(content), logSize, err)
	}
	for w := range 8 {
		for i := range 50 {
			if n := bytes.Count(content[:l.end], fmt.Appendf(nil, "<%d %d>", w, i)); n != 1 {
				t.Errorf("write %d of %d is there %d times", i, w, n)
			}
		}
	}
}
