package server

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/tools/performance/workload"
)

// TestPortThatIsTaken starts programs that end at once: one that finds its port taken is started again on another one.
func TestPortThatIsTaken(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip(ErrUnsupported)
	}
	for says, c := range map[string]struct {
		starts int
		taken  bool
	}{"listen tcp 127.0.0.1:7: bind: address already in use": {portTries, true}, "no memory": {1, false}} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			starts := filepath.Join(t.TempDir(), "starts")
			p := &Program{Name: "short", Service: workload.DynamoDB,
				Memory: []string{"sh", "-c", `echo {port} >>"$0"; echo "$1" >&2; exit 1`, starts, says}}
			_, err := p.StartIn("")
			if err == nil || errors.Is(err, errPortTaken) != c.taken || !c.taken && !strings.Contains(err.Error(), says) {
				t.Errorf("the error is %v", err)
			}
			text, err := os.ReadFile(starts)
			if ports := strings.Fields(string(text)); err != nil || len(ports) != c.starts {
				t.Errorf("started on the ports %q, %v; want %d", ports, err, c.starts)
			}
		})
	}
}
