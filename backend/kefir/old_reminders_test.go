package kefir

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// oldReminder creates a reminder that is due in d as version 1.0.0 does, without the keys of the index of hours.
func (w *world) oldReminder(user, batch string, d time.Duration) string {
	w.t.Helper()
	id := w.reminder(user, batch, d)
	item, err := w.service.store.get(w.t.Context(), reminderKey(ID(batch), ID(id)))
	if err != nil {
		w.t.Fatal(err)
	}
	delete(item, "GSI3PK")
	delete(item, "GSI3SK")
	_, err = w.client.PutItem(w.t.Context(), &dynamodb.PutItemInput{TableName: w.service.store.table, Item: item})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// backfill adds the missing index keys of the world's table.
func (w *world) backfill() {
	w.t.Helper()
	runner := jobs.New(jobs.Config{Client: w.client, TablePrefix: w.prefix, Restart: true, Now: w.now})
	if err := tables.Create(w.t.Context(), w.client, jobs.Schema(w.prefix).Tables); err != nil {
		w.t.Fatal(err)
	}
	if _, err := runner.Run(w.t.Context(), Backfill(w.client, w.prefix, "", 1)); err != nil {
		w.t.Fatal(err)
	}
}

// TestOldReminderBecomesDue checks that a reminder of 1.0.0 that becomes due after the first run is sent, with index
// keys or without, and that later runs no longer scan (KF-R5, KF-O3).
func TestOldReminderBecomesDue(t *testing.T) {
	t.Parallel()
	for name, migrate := range map[string]func(*world){"old": func(*world) {}, "backfilled": (*world).backfill} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, batch := newWorldWithPhone(t)
			id := w.oldReminder("ana", batch, 24*time.Hour)
			p := &phones{}
			if run := w.run(NewScheduler(w.service, p)); run.Due != 0 || run.Taken != 0 {
				t.Errorf("nothing is due yet: %+v", run)
			}
			migrate(w)
			w.advance(30 * time.Hour)
			if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || !slices.Equal(p.got, []string{id}) {
				t.Errorf("%+v, pushed %v", run, p.got)
			}
			if bucket, err := w.service.store.checkpoint(t.Context()); err != nil || bucket == "" {
				t.Errorf("nothing without index keys is left, but the next run scans: checkpoint %q, %v", bucket, err)
			}
		})
	}
}

// TestBackfillAfterCheckpoint checks that a reminder is sent that a program of 1.0.0 wrote after the first run, and
// that got its index keys when the runs had passed its hour (KF-O3).
func TestBackfillAfterCheckpoint(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	p := &phones{}
	w.run(NewScheduler(w.service, p))
	id := w.oldReminder("ana", batch, time.Hour)
	w.advance(4 * time.Hour)
	w.run(NewScheduler(w.service, p))
	w.backfill()
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || !slices.Equal(p.got, []string{id}) {
		t.Errorf("%+v, pushed %v", run, p.got)
	}
}

// TestCheckpointOfAnotherRun checks that a run sets the checkpoint only if it is the one at which the run started: the
// backfill may have removed it meanwhile.
func TestCheckpointOfAnotherRun(t *testing.T) {
	t.Parallel()
	w, batch := newWorldWithPhone(t)
	p := &phones{}
	w.run(NewScheduler(w.service, p))
	w.oldReminder("ana", batch, time.Hour)
	w.reminder("ana", batch, 4*time.Hour)
	w.advance(5 * time.Hour)
	p.before = w.backfill // when the run has passed the hour of the old reminder
	w.run(NewScheduler(w.service, p))
	p.before = nil
	if run := w.run(NewScheduler(w.service, p)); run.Sent != 1 || len(p.got) != 2 {
		t.Errorf("%+v, pushed %v", run, p.got)
	}
}
