package store

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestAFolderWhoseStoreFailedGetsNoMarker closes the store of a complete new folder after a write of Pebble failed in
// the background: closing the database reports no error then, but the folder may lack data.
func TestAFolderWhoseStoreFailedGetsNoMarker(t *testing.T) {
	t.Parallel()
	failed := &Failure{Op: "write", Path: "000004.sst", Err: errors.New("I/O error")}
	for failure, want := range map[*Failure]int{nil: 1, failed: 0} {
		dir := t.TempDir()
		s, err := Open(Options{Dir: dir, unmarked: true})
		if err != nil {
			t.Fatal(err)
		}
		if s.markAtClose = true; failure != nil {
			s.condition.fail(failure)
		}
		drained, _ := s.ops.stop()
		<-drained
		s.release()
		if found, err := filepath.Glob(filepath.Join(dir, "*FORMAT*")); len(found) != want || err != nil {
			t.Errorf("after %v: markers %v, %v", failure, found, err)
		}
	}
}
