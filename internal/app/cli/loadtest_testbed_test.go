package cli

import (
	"runtime"
	"testing"

	"github.com/tabletop-db/tabletop/internal/util/processors"
)

// TestALoadTestAddsAProcessor checks that a load test runs one more goroutine at a time than there are processors. It
// is not parallel: it changes the process.
func TestALoadTestAddsAProcessor(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors.Count()))
	if _, err := (&loadFlags{backendURL: "http://127.0.0.1:1"}).openTestbed(nil); err != nil {
		t.Fatal(err)
	}
	if got, want := runtime.GOMAXPROCS(0), processors.Count()+1; got != want {
		t.Errorf("%d goroutines run at a time, want %d", got, want)
	}
}
