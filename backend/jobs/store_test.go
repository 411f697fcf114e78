package jobs

import (
	"testing"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// TestStoredForm stores runs and segments of a job with all that they may have and with as little as they can have.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, ctx := New(w.config(nil)), t.Context()
	for job, run := range map[string]record{
		"begun":    {run: 1, segments: 4, startedAt: "2026-02-03T10:30:00Z"},
		"finished": {run: 2, segments: 1, startedAt: "2026-02-03T10:30:00Z", finishedAt: "2026-02-04T10:30:00Z", parameters: map[string]string{"before": "x", "empty": ""}},
	} {
		run.job = job
		if err := r.save(ctx, run, 0); err != nil {
			t.Fatal(err)
		}
	}
	after := ddb.Item{"PK": ddb.Str("a"), "n": ddb.Number(1)}
	for _, s := range []segment{{}, {number: 12, run: 3, version: 0, owner: "w", until: 1770115800000, after: after, counts: map[string]int64{"deleted": 5, "read": 0}, done: true}} {
		if _, err := r.swap(ctx, "begun", s); err != nil {
			t.Fatal(err)
		}
	}
	dbtest.Stored(t, r.cfg.Client, r.table)
}
