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

// SeedCounts counts what Seed wrote.
type SeedCounts struct {
	Users, Batches, Events, Reminders, Devices int
	FirstUserID                                string // userId of the first user
}

// Items returns the number of items.
func (s SeedCounts) Items() int { return s.Users + s.Batches + s.Events + s.Reminders + s.Devices }

// Seed fills a development table with realistic data (KF-O2): users with batches in each stage and status, notes and
// photos, reminders that were sent, were cancelled or are pending, and devices. The same number produces the same items
// within an hour, so that seeding twice is the same as seeding once; a larger number of users does not change the first
// ones. Other items in the table stay.
func (s *Service) Seed(ctx context.Context, number uint64, users int, progress func(SeedCounts)) (SeedCounts, error) {
	if users < 1 || users > MaxSeedUsers {
		return SeedCounts{}, fmt.Errorf("cannot seed %d users: choose 1 to %d", users, MaxSeedUsers)
	}
	g := &generator{now: s.cfg.Now().UTC().Truncate(time.Hour)}
	for n := range users {
		g.random = rand.New(rand.NewPCG(number, uint64(n)))
		g.addUser(n)
		if len(g.writes) >= 1000 || n == users-1 {
			if err := ddb.WriteAll(ctx, s.store.client, *s.store.table, g.writes, s.cfg.Wait); err != nil {
				return SeedCounts{}, err
			}
			g.writes = nil
			if progress != nil {
				progress(g.counts)
			}
		}
	}
	return g.counts, nil
}

// MaxSeedUsers is the maximum number of users for Seed.
const MaxSeedUsers = 100_000

// generator generates the items.
type generator struct {
	random *rand.Rand
	now    time.Time
	writes []types.WriteRequest
	counts SeedCounts
}

func (g *generator) put(item ddb.Item) { g.writes = append(g.writes, ddb.Put(item)) }

func (g *generator) newID() ID {
	var raw [16]byte
	for i := range raw {
		raw[i] = byte(g.random.Uint32())
	}
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80 // a version 4 UUID
	return ID(uuid.UUID(raw).String())
}

func (g *generator) pick(choices []string) string { return choices[g.random.IntN(len(choices))] }

// between returns a random integer in [from, to].
func (g *generator) between(from, to int) int { return from + g.random.IntN(to-from+1) }

func (g *generator) addUser(n int) {
	name := samplePeople()[n%len(samplePeople())]
	u := User{UserID: fmt.Sprintf("%s-%d", name.id, n+1), Name: name.displayName,
		CreatedAt: timestamp(g.now.AddDate(0, -6, -g.random.IntN(90)))}
	u.Email, u.UpdatedAt = u.UserID+"@example.com", u.CreatedAt
	var preferences *Preferences
	if n%3 != 0 { // the others never changed their settings
		preferences = &Preferences{NotificationsEnabled: n%5 != 0, DefaultTemperatureC: Decimal(g.between(18, 26))}
	}
	g.put(userItem(u, preferences))
	if g.counts.Users++; n == 0 {
		g.counts.FirstUserID = u.UserID
	}
	for i := range g.between(1, 3) {
		g.addDevice(u, i)
	}
	// The newest batches of each user are in progress: from four batches on, every status occurs.
	for i := range g.between(4, 10) {
		g.addBatch(u, i)
	}
}

func (g *generator) addDevice(u User, i int) {
	kind := sampleDevices()[i%len(sampleDevices())]
	g.put(deviceItem(Device{
		DeviceID: DeviceID(g.newID()), UserID: u.UserID, Platform: kind.platform, PushToken: PushToken("ExponentPushToken[" +
			g.newID()[:22] + "]"),
		DeviceInfo: &DeviceInfo{Model: kind.model, OSVersion: kind.os, AppVersion: "2.4.1"},
		CreatedAt:  u.CreatedAt, LastSeenAt: timestamp(g.now.Add(-time.Duration(g.between(1, 200)) * time.Hour)),
	}))
	g.counts.Devices++
}

// addBatch generates the i-th newest batch of a user: the first ferments, the second has been bottled, the third is in
// the fridge, the fourth is ready, and older ones have been drunk.
func (g *generator) addBatch(u User, i int) {
	started := g.now.Add(-time.Duration(6+i*72+g.random.IntN(24)) * time.Hour)
	b := Batch{
		BatchID: g.newID(), UserID: u.UserID, Name: g.pick(sampleNames()), Stage: 1, Status: Active,
		WaterVolumeMl: 250 * g.between(2, 12),
		SugarGrams:    Decimal(5 * g.between(6, 24)), TemperatureC: Decimal(g.between(18, 26)), StartTime: timestamp(started),
		TargetHoursStage1: Decimal(12 * g.between(2, 6)), CreatedAt: timestamp(started), UpdatedAt: timestamp(started),
	}
	if g.random.IntN(4) > 0 {
		b.Fruits = g.pick(sampleFruits())
	}
	if i == 3 && g.random.IntN(2) == 0 {
		b.IsPublic, b.PublicNote = true, g.pick(sampleNotes())
	}
	g.addNotes(b, started.Add(2*time.Hour))
	at := started.Add(time.Duration(b.TargetHoursStage1) * time.Hour)
	if i == 0 {
		g.addReminder(b, at, "Taste it: time to bottle")
		g.putBatch(b)
		return
	}
	at = g.bottle(&b, at)
	if i == 1 {
		g.addReminder(b, at.Add(time.Duration(b.TargetHoursStage2)*time.Hour),
			"Open a bottle over the sink, then to the fridge")
		g.putBatch(b)
		return
	}
	for _, to := range []Status{InFridge, Ready, Archived}[:min(i-1, 3)] {
		at = g.changeStatus(&b, to, at)
	}
	g.putBatch(b)
}

func (g *generator) putBatch(b Batch) {
	g.put(batchItem(b))
	g.counts.Batches++
}

func (g *generator) addEvent(e Event) {
	e.EventID = g.newID()
	g.put(eventItem(e))
	g.counts.Events++
}

func (g *generator) addNotes(b Batch, at time.Time) {
	g.addEvent(Event{BatchID: b.BatchID, Type: Note, Note: g.pick(sampleNotes()), CreatedAt: moment(at)})
	if g.random.IntN(2) == 0 {
		photo := "photos/" + string(b.BatchID) + "/1.jpg"
		g.addEvent(Event{
			BatchID: b.BatchID, Type: Photo, PhotoURL: "https://photos.example.com/" + photo, PhotoKey: photo,
			CreatedAt: moment(at.Add(time.Minute)),
		})
	}
}

// bottle moves a batch to stage 2, at least an hour ago.
func (g *generator) bottle(b *Batch, at time.Time) time.Time {
	at = g.clampToPast(at)
	g.addReminder(*b, at.Add(-time.Hour), "Taste it: time to bottle")
	g.addEvent(Event{BatchID: b.BatchID, Type: StageTransition, FromStage: 1, ToStage: 2, CreatedAt: moment(at)})
	t := Decimal(g.between(18, 24))
	b.Stage, b.BottleVolumeMl, b.TemperatureCStage2, b.StartTimeStage2 = 2, 330, &t, timestamp(at)
	b.BottleCount, b.TargetHoursStage2, b.UpdatedAt = max(1, b.WaterVolumeMl/330),
		Decimal(12*g.between(1, 3)), timestamp(at)
	return at
}

func (g *generator) changeStatus(b *Batch, to Status, at time.Time) time.Time {
	at = g.clampToPast(at.Add(time.Duration(g.between(12, 30)) * time.Hour))
	g.addEvent(Event{BatchID: b.BatchID, Type: StatusChange, FromStatus: b.Status, ToStatus: to, CreatedAt: moment(at)})
	b.Status, b.UpdatedAt = to, timestamp(at)
	if to == Archived {
		b.ArchivedAt = timestamp(at)
	}
	return at
}

func (g *generator) clampToPast(at time.Time) time.Time {
	if latest := g.now.Add(-time.Hour); at.After(latest) {
		return latest
	}
	return at
}

// addReminder generates a reminder that is pending if it is in the future; of the past ones, one in five was cancelled.
func (g *generator) addReminder(b Batch, at time.Time, message string) {
	r := Reminder{
		ReminderID: g.newID(), BatchID: b.BatchID, UserID: b.UserID, Message: message, DueAt: timestamp(at), Status: Pending,
		CreatedAt: b.CreatedAt,
	}
	if at.Before(g.now) && g.random.IntN(5) == 0 {
		r.Status, r.CancelledAt = Cancelled, timestamp(at.Add(-time.Minute))
	} else if at.Before(g.now) {
		r.Status, r.SentAt = Sent, r.DueAt
	}
	g.put(reminderItem(r))
	g.counts.Reminders++
}

type person struct{ id, displayName string }

func samplePeople() []person {
	return []person{
		{"ana", "Ana Lopes"}, {"bob", "Bob"}, {"chidi", "Chidi Okafor"}, {"dina", "Dina"}, {"emre", "Emre Yıldız"},
		{"fen", "Fen"},
		{"gita", "Gita Rao"}, {"hugo", "Hugo"}, {"ines", "Inês"}, {"jonas", ""},
	}
}

type deviceKind struct {
	platform  Platform
	model, os string
}

func sampleDevices() []deviceKind {
	return []deviceKind{
		{"ios", "iPhone 15", "18.1"}, {"android", "Pixel 9", "16"}, {"web", "Firefox", "145"},
	}
}

func sampleNames() []string {
	return []string{"Ginger and lemon", "Figs for the weekend", "Plain", "Hibiscus", "Raspberry", "Too sweet last time",
		"Apple and cinnamon", "For the neighbours"}
}

func sampleFruits() []string {
	return []string{"2 figs, half a lemon", "ginger, 3 slices", "a handful of raisins", "dates", "dried apricots",
		"1 lemon, mint"}
}

func sampleNotes() []string {
	return []string{
		"First bubbles.", "Smells of yeast, tastes of lemon.", "Grains have doubled, gave half away.",
		"Slow: the kitchen is cold.",
		"Very fizzy, mind the lid.", "Less sugar next time.", "Our best so far.", "A little flat, one more day.",
	}
}
