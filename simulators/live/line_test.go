package live_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/live"
)

// Without a terminal, a line is printed at most every ten seconds, and the last text always.
func TestLineInALog(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	l := live.New(&b)
	now := time.Unix(1000, 0)
	for i, text := range []string{"a", "b", "c", "d"} {
		l.Set(text, now.Add(time.Duration(i)*5*time.Second))
	}
	l.Done()
	l.Done()
	if b.String() != "a\nc\nd\n" {
		t.Errorf("printed %q", b.String())
	}
}
