package jobs

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"
)

// Each day is processed once, although the first run ends halfway and the second one starts with another day.
func TestDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	done := map[string]int{}
	cut := "2026-03-01"
	do := func(_ context.Context, day string, _ Renew) (map[string]int64, error) {
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

// A day that takes longer than a lease stays with its worker, which renews the lease before each write.
func TestDayLongerThanALease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	errHeld := errors.New("the day is held")
	rival := w.config(nil)
	rival.Wait = func(context.Context, time.Duration) error { return errHeld }
	days := []string{"2026-03-01"}
	writes := 0
	s, err := New(w.config(nil)).Run(t.Context(), Days("long", days,
		func(ctx context.Context, _ string, renew Renew) (map[string]int64, error) {
			for range 5 {
				if err := renew(ctx); err != nil {
					return nil, err
				}
				writes++
				w.clock.Add((40 * time.Second).Milliseconds())
				if _, err := New(rival).Run(ctx, Days("long", days,
					func(context.Context, string, Renew) (map[string]int64, error) { return nil, nil })); !errors.Is(err, errHeld) {
					t.Errorf("another process took the day: %v", err)
				}
			}
			return map[string]int64{"written": 5}, nil
		}))
	if err != nil || writes != 5 || s.Counts["written"] != 5 {
		t.Errorf("%d writes, %+v, %v", writes, s, err)
	}
}

// A worker that has lost its lease writes nothing more of its day.
func TestLostLeaseStopsTheDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	days := []string{"2026-03-01"}
	writes := map[string]int{}
	job := func(process string, write func()) Job {
		return Days("lost", days, func(ctx context.Context, _ string, renew Renew) (map[string]int64, error) {
			for range 3 {
				if err := renew(ctx); err != nil {
					return nil, err
				}
				writes[process]++
				write()
			}
			return map[string]int64{"written": 3}, nil
		})
	}
	s, err := New(w.config(nil)).Run(t.Context(), job("stalled", func() {
		w.clock.Add((2 * time.Minute).Milliseconds())
		if _, err := New(w.config(nil)).Run(t.Context(), job("other", func() {})); err != nil {
			t.Error(err)
		}
	}))
	if err != nil || s.Counts["written"] != 3 || !maps.Equal(writes, map[string]int{"stalled": 1, "other": 3}) {
		t.Errorf("%v, %+v, %v", writes, s, err)
	}
}

// A day that cannot be completed stops no other day: the run ends with the day's error and with all counts. The next
// run starts at once, with its own days.
func TestPartialDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stuck := "2026-02-28"
	job := func(days ...string) Job {
		return Days("partial", days, func(_ context.Context, day string, _ Renew) (map[string]int64, error) {
			counts := map[string]int64{"seen": 2}
			if day == stuck {
				return counts, &PartialError{errors.New(day + ": the file is locked")}
			}
			return counts, nil
		})
	}
	s, err := New(w.config(nil)).Run(t.Context(), job("2026-02-27", "2026-02-28", "2026-03-01"))
	if err == nil || err.Error() != "partial: 2026-02-28: the file is locked" || s.Counts["seen"] != 6 ||
		s.FinishedAt == "" {
		t.Errorf("%+v, %v", s, err)
	}
	s, err = New(w.config(nil)).Run(t.Context(), job("2026-03-01", "2026-03-02"))
	if err != nil || s.Run != 2 || s.Parameters["from"] != "2026-03-01" || s.Counts["seen"] != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := New(w.config(nil)).Run(t.Context(), job("2026-03-01")); err != nil || !s.AlreadyFinished {
		t.Errorf("%+v, %v", s, err)
	}
}
