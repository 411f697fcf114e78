package kefir

import (
	"testing"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// TestStoredForm stores an item of each kind twice, with all possible attributes and with the fewest possible, and
// changes some.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, ctx := w.service.store, t.Context()
	check := func(ok bool, err error) {
		t.Helper()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	const at, later = Timestamp("2026-02-03T10:30:00Z"), Timestamp("2026-02-04T10:30:00Z")

	_, isNew, err := s.saveUser(ctx, User{UserID: "ana", Email: "ana@example.com", Name: "Ana", UpdatedAt: at},
		&Preferences{DefaultTemperatureC: 21.5})
	check(isNew, err)
	_, isNew, err = s.saveUser(ctx, User{UserID: "bob", Email: "bob@example.com", UpdatedAt: at}, nil)
	check(isNew, err)
	_, isNew, err = s.saveDevice(ctx, Device{DeviceID: "phone", UserID: "ana", Platform: "ios", PushToken: "t1",
		LastSeenAt: at, DeviceInfo: &DeviceInfo{Model: "X"}})
	check(isNew, err)
	_, isNew, err = s.saveDevice(ctx, Device{DeviceID: "web", UserID: "ana", Platform: "web", PushToken: "t2",
		LastSeenAt: at, DeviceInfo: &DeviceInfo{}})
	check(isNew, err)
	_, isNew, err = s.saveDevice(ctx, Device{DeviceID: "old", UserID: "bob", Platform: "android", PushToken: "t3",
		LastSeenAt: at})
	check(isNew, err)

	warm := Decimal(0)
	full := Batch{
		BatchID: "full", UserID: "ana", Name: "Ginger", Stage: 2, Status: Archived, WaterVolumeMl: 1000, SugarGrams: 60.25,
		Fruits:       "figs",
		TemperatureC: -0.5, StartTime: at, TargetHoursStage1: 48, BottleCount: 3, BottleVolumeMl: 330,
		TemperatureCStage2: &warm,
		StartTimeStage2:    later, TargetHoursStage2: 24, CreatedAt: at, UpdatedAt: later, ArchivedAt: later, IsPublic: true,
		PublicNote: "best",
	}
	minimal := Batch{BatchID: "bare", UserID: "ana", Status: Active, Stage: 1, CreatedAt: at, UpdatedAt: at}
	moved := minimal
	moved.BatchID, moved.Stage, moved.BottleCount, moved.BottleVolumeMl, moved.TargetHoursStage2 = "moved", 2, 1, 1, 0.5
	for _, b := range []Batch{full, minimal, moved} {
		check(true, s.createBatch(ctx, b, nil))
	}
	for _, e := range []Event{
		{EventID: "e1", BatchID: "full", Type: Photo, PhotoURL: "https://x.example", PhotoKey: "k", Note: "n",
			CreatedAt: "2026-02-03T10:30:00.001Z"},
		{EventID: "e2", BatchID: "full", Type: StatusChange, FromStatus: Active, ToStatus: Ready,
			CreatedAt: "2026-02-03T10:30:00.002Z"},
		{EventID: "e3", BatchID: "full", Type: StageTransition, FromStage: 1, ToStage: 2,
			CreatedAt: "2026-02-03T10:30:00.003Z"},
	} {
		check(true, s.createEvent(ctx, e, nil))
	}
	reminder := Reminder{ReminderID: "r1", BatchID: "full", UserID: "ana", Message: "bottle", DueAt: at,
		Status: Pending, CreatedAt: at}
	check(true, s.createReminder(ctx, reminder, nil))
	reminder.ReminderID, reminder.SchedulerArn = "r2", "arn"
	check(true, s.createReminder(ctx, reminder, nil))
	reminder.ReminderID, reminder.Status, reminder.SentAt, reminder.CancelledAt = "r3", Sent, at, later
	check(true, s.createReminder(ctx, reminder, nil))
	_, ok, err := s.claimReminder(ctx, reminderKey("full", "r1"), "claim", at, later)
	check(ok, err)
	_, ok, err = s.cancelReminder(ctx, "full", "r2", at)
	check(ok, err)
	check(true, s.moveCheckpoint(ctx, "", "DUE#2026-02-03T10", at))
	dbtest.CheckStoredForm(t, w.client, *s.table)
}
