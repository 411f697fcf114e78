package store_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestDroppedBatchesAreReported kills a store during a write that is partly in the log: the next opening has every
// acknowledged update, and logs how many bytes of the log it drops, if any.
func TestDroppedBatchesAreReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, "a", "1")
	acknowledged := imageOf(t, dir)
	put(t, s, "b", strings.Repeat("under way ", 10_000)) // several blocks of the log
	underWay := imageOf(t, dir)
	name := slices.MaxFunc(slices.Collect(maps.Keys(underWay)), func(a, b string) int {
		return len(underWay[a]) - len(underWay[b])
	})
	before, after := len(acknowledged[name]), len(underWay[name])
	if !strings.HasSuffix(name, ".log") || after-before < 100_000 {
		t.Fatalf("the second write made %s longer by %d bytes", name, after-before)
	}
	for kind, c := range map[string]struct {
		kept   int  // bytes of the write that reached the log
		zeroed bool // whether their second half is zeroed
		there  bool // whether the write is complete
	}{
		"all of it": {after - before, false, true}, "70 %": {(after - before) * 7 / 10, false, false},
		"30 %":   {(after - before) * 3 / 10, false, false},
		"a byte": {1, false, false}, "nothing": {0, false, false}, "second half zeroed": {after - before, true, false},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			image, log := maps.Clone(acknowledged), bytes.Clone(underWay[name][:before+c.kept])
			if c.zeroed {
				clear(log[before+c.kept/2:])
			}
			image[name] = log
			var said bytes.Buffer
			s, err := store.Open(store.Options{Dir: image.write(t), Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := value(t, s, "a"); got != "1" {
				t.Errorf("what was acknowledged reads %q", got)
			}
			if got := value(t, s, "b"); (got != "") != c.there {
				t.Errorf("of the write under way %d bytes are there", len(got))
			}
			want := fmt.Sprintf("bytes=%d", c.kept)
			if drops := !c.there && c.kept > 0; drops != strings.Contains(said.String(), "is dropped") || drops &&
				!strings.Contains(said.String(), want+" ") {
				t.Errorf("dropping %d bytes, it says: %s", c.kept, said.String())
			}
		})
	}
}
