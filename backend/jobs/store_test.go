package jobs

import (
	"testing"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// TestStoredForm stores runs and segments with all possible attributes and with the fewest possible.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, ctx := New(w.config(nil)), t.Context()
	for job, run := range map[string]runRecord{
		"begun": {Run: 1, Segments: 4, StartedAt: "2026-02-03T10:30:00Z"},
		"finished": {Run: 2, Segments: 1, StartedAt: "2026-02-03T10:30:00Z", FinishedAt: "2026-02-04T10:30:00Z",
			Parameters: map[string]string{"before": "x", "empty": ""}},
	} {
		run.Job = job
		if err := r.save(ctx, run, 0); err != nil {
			t.Fatal(err)
		}
	}
	after := ddb.Item{"PK": ddb.Str("a"), "n": ddb.Number(1)}
	for _, s := range []segment{{}, {Number: 12, Run: 3, Version: 0, Owner: "w", LeaseEnd: 1770115800000,
		After: position(after), Counts: map[string]int64{"deleted": 5, "read": 0}, Done: true}} {
		if _, err := r.updateSegment(ctx, "begun", s); err != nil {
			t.Fatal(err)
		}
	}
	dbtest.CheckStoredForm(t, r.cfg.Client, r.table)
}
