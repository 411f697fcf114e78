package emulatorcmd

import (
	"runtime"
	"testing"

	"github.com/tabletop-db/tabletop/internal/util/processors"
)

// TestADataFolderAddsAProcessor checks that an emulator runs one more goroutine at a time if its writes wait for the
// disk. It is not parallel: it changes the process.
func TestADataFolderAddsAProcessor(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors.Count()))
	for _, c := range []struct {
		folder string
		want   int
	}{{"", processors.Count()}, {t.TempDir(), processors.Count() + 1}} {
		if _, err := (&Flags{data: c.folder}).dataOptions(); err != nil {
			t.Fatal(err)
		}
		if got := runtime.GOMAXPROCS(0); got != c.want {
			t.Errorf("with the folder %q, %d goroutines run at a time, want %d", c.folder, got, c.want)
		}
	}
}
