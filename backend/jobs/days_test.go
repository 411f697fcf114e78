package jobs

import (
	"context"
	"errors"
	"maps"
	"testing"
)

// Each day is processed once, although the first run ends halfway and the second one starts with another day.
func TestDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	done := map[string]int{}
	cut := "2026-03-01"
	do := func(_ context.Context, day string) (map[string]int64, error) {
		if day == cut {
			return nil, errors.New("the line is cut")
		}
		done[day]++
		return map[string]int64{"seen": 2}, nil
	}
	cfg := w.config(nil)
	cfg.Workers = 1
	if _, err := New(cfg).Run(t.Context(), Days("sweep", []string{"2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"},
		do)); err == nil {
		t.Fatal("it was not cut")
	}
	cut = ""
	s, err := New(cfg).Run(t.Context(), Days("sweep", []string{"2026-03-01"}, do))
	want := map[string]int{"2026-02-27": 1, "2026-02-28": 1, "2026-03-01": 1, "2026-03-02": 1}
	if err != nil || s.Counts["seen"] != 8 || !maps.Equal(done, want) {
		t.Errorf("%+v, %v, %v", s, err, done)
	}
	if _, err := New(cfg).Run(t.Context(), Days("none", nil, do)); err == nil {
		t.Error("a job of no days is run")
	}
}
