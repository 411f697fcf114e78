package kefir

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Sown counts what Seed wrote.
type Sown struct {
	Users, Batches, Events, Reminders, Devices int
	First                                      string // userId of the first user
}

// Items returns the number of items.
func (s Sown) Items() int { return s.Users + s.Batches + s.Events + s.Reminders + s.Devices }

// Seed fills a development table with realistic data (KF-O2): users with batches in each stage and status, notes and
// photos, reminders that were sent, were cancelled or are pending, and devices. The same number produces the same items
// within an hour, so that seeding twice is the same as seeding once; a larger number of users does not change the first
// ones. Other items in the table stay.
func (s *Service) Seed(ctx context.Context, number uint64, users int) (Sown, error) {
	if users < 1 || users > MostSeeded {
		return Sown{}, fmt.Errorf("cannot seed %d users: choose 1 to %d", users, MostSeeded)
	}
	g := &gardener{now: s.cfg.Now().UTC().Truncate(time.Hour)}
	for n := range users {
		g.random = rand.New(rand.NewPCG(number, uint64(n)))
		g.user(n)
		if len(g.writes) >= 1000 || n == users-1 {
			if err := ddb.WriteAll(ctx, s.store.client, *s.store.table, g.writes, s.cfg.Wait); err != nil {
				return Sown{}, err
			}
			g.writes = nil
		}
	}
	return g.sown, nil
}

// MostSeeded is the maximum number of users for Seed.
const MostSeeded = 100_000

// gardener generates the items.
type gardener struct {
	random *rand.Rand
	now    time.Time
	writes []types.WriteRequest
	sown   Sown
}

func (g *gardener) put(item ddb.Item) { g.writes = append(g.writes, ddb.Put(item)) }

func (g *gardener) id() ID {
	var raw [16]byte
	for i := range raw {
		raw[i] = byte(g.random.Uint32())
	}
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80 // a version 4 UUID
	return ID(uuid.UUID(raw).String())
}

func (g *gardener) of(choices []string) string { return choices[g.random.IntN(len(choices))] }

// between returns a random integer in [from, to].
func (g *gardener) between(from, to int) int { return from + g.random.IntN(to-from+1) }

func (g *gardener) user(n int) {
	name := people()[n%len(people())]
	u := User{UserID: fmt.Sprintf("%s-%d", name.id, n+1), Name: name.shown,
		CreatedAt: timestamp(g.now.AddDate(0, -6, -g.random.IntN(90)))}
	u.Email, u.UpdatedAt = u.UserID+"@example.com", u.CreatedAt
	var set *Preferences
	if n%3 != 0 { // the others never changed their settings
		set = &Preferences{NotificationsEnabled: n%5 != 0, DefaultTemperatureC: Decimal(g.between(18, 26))}
	}
	g.put(userItem(u, set))
	if g.sown.Users++; n == 0 {
		g.sown.First = u.UserID
	}
	for i := range g.between(1, 3) {
		g.device(u, i)
	}
	// The newest batches of each user are in progress: from four batches on, every status occurs.
	for i := range g.between(4, 10) {
		g.batch(u, i)
	}
}

func (g *gardener) device(u User, i int) {
	kind := devices()[i%len(devices())]
	g.put(deviceItem(Device{
		DeviceID: DeviceID(g.id()), UserID: u.UserID, Platform: kind.platform, PushToken: PushToken("ExponentPushToken[" +
			g.id()[:22] + "]"),
		DeviceInfo: &DeviceInfo{Model: kind.model, OSVersion: kind.os, AppVersion: "2.4.1"},
		CreatedAt:  u.CreatedAt, LastSeenAt: timestamp(g.now.Add(-time.Duration(g.between(1, 200)) * time.Hour)),
	}))
	g.sown.Devices++
}

// batch generates the i-th newest batch of a user: the first ferments, the second has been bottled, the third is in the
// fridge, the fourth is ready, and older ones have been drunk.
func (g *gardener) batch(u User, i int) {
	began := g.now.Add(-time.Duration(6+i*72+g.random.IntN(24)) * time.Hour)
	b := Batch{
		BatchID: g.id(), UserID: u.UserID, Name: g.of(names()), Stage: 1, Status: Active,
		WaterVolumeMl: 250 * g.between(2, 12),
		SugarGrams:    Decimal(5 * g.between(6, 24)), TemperatureC: Decimal(g.between(18, 26)), StartTime: timestamp(began),
		TargetHoursStage1: Decimal(12 * g.between(2, 6)), CreatedAt: timestamp(began), UpdatedAt: timestamp(began),
	}
	if g.random.IntN(4) > 0 {
		b.Fruits = g.of(fruits())
	}
	if i == 3 && g.random.IntN(2) == 0 {
		b.IsPublic, b.PublicNote = true, g.of(notes())
	}
	g.note(b, began.Add(2*time.Hour))
	at := began.Add(time.Duration(b.TargetHoursStage1) * time.Hour)
	if i == 0 {
		g.reminder(b, at, "Taste it: time to bottle")
		g.finish(b)
		return
	}
	at = g.bottled(&b, at)
	if i == 1 {
		g.reminder(b, at.Add(time.Duration(b.TargetHoursStage2)*time.Hour), "Open a bottle over the sink, then to the fridge")
		g.finish(b)
		return
	}
	for _, to := range []Status{InFridge, Ready, Archived}[:min(i-1, 3)] {
		at = g.moved(&b, to, at)
	}
	g.finish(b)
}

func (g *gardener) finish(b Batch) {
	g.put(batchItem(b))
	g.sown.Batches++
}

func (g *gardener) event(e Event) {
	e.EventID = g.id()
	g.put(eventItem(e))
	g.sown.Events++
}

func (g *gardener) note(b Batch, at time.Time) {
	g.event(Event{BatchID: b.BatchID, Type: Note, Note: g.of(notes()), CreatedAt: moment(at)})
	if g.random.IntN(2) == 0 {
		photo := "photos/" + string(b.BatchID) + "/1.jpg"
		g.event(Event{
			BatchID: b.BatchID, Type: Photo, PhotoURL: "https://photos.example.com/" + photo, PhotoKey: photo,
			CreatedAt: moment(at.Add(time.Minute)),
		})
	}
}

// bottled moves a batch to stage 2, at least an hour ago.
func (g *gardener) bottled(b *Batch, at time.Time) time.Time {
	at = g.past(at)
	g.reminder(*b, at.Add(-time.Hour), "Taste it: time to bottle")
	g.event(Event{BatchID: b.BatchID, Type: StageTransition, FromStage: 1, ToStage: 2, CreatedAt: moment(at)})
	t := Decimal(g.between(18, 24))
	b.Stage, b.BottleVolumeMl, b.TemperatureCStage2, b.StartTimeStage2 = 2, 330, &t, timestamp(at)
	b.BottleCount, b.TargetHoursStage2, b.UpdatedAt = max(1, b.WaterVolumeMl/330),
		Decimal(12*g.between(1, 3)), timestamp(at)
	return at
}

func (g *gardener) moved(b *Batch, to Status, at time.Time) time.Time {
	at = g.past(at.Add(time.Duration(g.between(12, 30)) * time.Hour))
	g.event(Event{BatchID: b.BatchID, Type: StatusChange, FromStatus: b.Status, ToStatus: to, CreatedAt: moment(at)})
	b.Status, b.UpdatedAt = to, timestamp(at)
	if to == Archived {
		b.ArchivedAt = timestamp(at)
	}
	return at
}

func (g *gardener) past(at time.Time) time.Time {
	if latest := g.now.Add(-time.Hour); at.After(latest) {
		return latest
	}
	return at
}

// reminder generates a reminder that is pending if it is in the future; of the past ones, one in five was cancelled.
func (g *gardener) reminder(b Batch, at time.Time, message string) {
	r := Reminder{
		ReminderID: g.id(), BatchID: b.BatchID, UserID: b.UserID, Message: message, DueAt: timestamp(at), Status: Pending,
		CreatedAt: b.CreatedAt,
	}
	if at.Before(g.now) && g.random.IntN(5) == 0 {
		r.Status, r.CancelledAt = Cancelled, timestamp(at.Add(-time.Minute))
	} else if at.Before(g.now) {
		r.Status, r.SentAt = Sent, r.DueAt
	}
	g.put(reminderItem(r))
	g.sown.Reminders++
}

type person struct{ id, shown string }

func people() []person {
	return []person{
		{"ana", "Ana Lopes"}, {"bob", "Bob"}, {"chidi", "Chidi Okafor"}, {"dina", "Dina"}, {"emre", "Emre Yıldız"},
		{"fen", "Fen"},
		{"gita", "Gita Rao"}, {"hugo", "Hugo"}, {"ines", "Inês"}, {"jonas", ""},
	}
}

type kind struct {
	platform  Platform
	model, os string
}

func devices() []kind {
	return []kind{
		{"ios", "iPhone 15", "18.1"}, {"android", "Pixel 9", "16"}, {"web", "Firefox", "145"},
	}
}

func names() []string {
	return []string{"Ginger and lemon", "Figs for the weekend", "Plain", "Hibiscus", "Raspberry", "Too sweet last time",
		"Apple and cinnamon", "For the neighbours"}
}

func fruits() []string {
	return []string{"2 figs, half a lemon", "ginger, 3 slices", "a handful of raisins", "dates", "dried apricots",
		"1 lemon, mint"}
}

func notes() []string {
	return []string{
		"First bubbles.", "Smells of yeast, tastes of lemon.", "Grains have doubled, gave half away.",
		"Slow: the kitchen is cold.",
		"Very fizzy, mind the lid.", "Less sugar next time.", "Our best so far.", "A little flat, one more day.",
	}
}
