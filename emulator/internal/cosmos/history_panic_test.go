package cosmos

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAPanickingCloneLeavesNothing panics after the first item of a clone: nothing is left of the container, and the
// next clone can have its name.
func TestAPanickingCloneLeavesNothing(t *testing.T) {
	t.Parallel()
	h := &killedRestore{t: t, operation: "Clone"}
	h.options = store.Options{Dir: "/db", RootKey: filepath.Join(t.TempDir(), "root.key")}
	h.start(vfs.NewMem())
	defer h.stop()
	h.expect("POST", "/dbs", `{"id":"db"}`, http.StatusCreated)
	h.expect("POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		http.StatusCreated)
	h.expect("POST", "/dbs/db/colls/c/docs", `{"id":"0"}`, http.StatusCreated)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_, _ = h.service.histories.Run(t.Context(), nil, func(int64) { panic("broken") }, "Clone",
			[]byte(`{"Database":"db","Container":"c","NewContainer":"again"}`))
	}()
	if n := h.stored(); n != 0 {
		t.Errorf("%d items are left", n)
	}
	if status, body := h.restore(); status != http.StatusOK {
		t.Errorf("the next clone: %d %s", status, body)
	}
}
