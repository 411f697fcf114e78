package telemetry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) readings(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" has delivered readings taken ([\d, and]+) minutes ago$`, w.deliveredAgo)
	sc.Step(`^"([^"]*)" has delivered readings one millisecond before, at and after the time (\d+) minutes ago$`,
		w.deliveredAround)
	sc.Step(`^"([^"]*)" has delivered the readings "([^"]*)" taken (\d+) minutes ago$`, w.deliveredTogether)
	sc.Step(`^the latest reading of "([^"]*)" is requested$`, w.latest)
	sc.Step(`^the latest reading of "([^"]*)" can be read$`, w.latestCanBeRead)
	sc.Step(`^it is the one taken (\d+) minutes ago$`, w.isTaken)
	sc.Step(`^the readings of "([^"]*)" from (\d+) to (\d+) minutes ago are requested(, newest first)?$`, w.between)
	sc.Step(`^all its readings are requested in pages of (\d+)$`, w.allReadings)
	sc.Step(`^they are the ones taken ([\d, and]+) minutes ago$`, w.areTaken)
	sc.Step(`^they are the readings "([^"]*)"$`, w.areReadings)
	sc.Step(`^every reading is on one page, oldest first$`, w.everyReadingOnce)
}

// minutesAgo returns the time this number of minutes ago; "" is now.
func (w *world) minutesAgo(minutes string) time.Time {
	n, _ := strconv.Atoi(minutes) // the steps match only digits
	return w.Clock.Now().Add(-time.Duration(n) * time.Minute)
}

func (w *world) deliveredAgo(ctx context.Context, name, minutes string) error {
	d := w.device(name)
	var all []reading
	for _, m := range numbers(minutes) {
		all = append(all, d.reading(w.minutesAgo(m)))
	}
	return w.delivered(ctx, d, all)
}

func (w *world) deliveredAround(ctx context.Context, name, minutes string) error {
	d, at := w.device(name), w.minutesAgo(minutes)
	return w.delivered(ctx, d, []reading{
		d.reading(at.Add(-time.Millisecond)), d.reading(at), d.reading(at.Add(time.Millisecond)),
	})
}

// deliveredTogether delivers batches of the same millisecond, in reverse order of their names.
func (w *world) deliveredTogether(ctx context.Context, name, list, minutes string) error {
	d := w.device(name)
	var all []reading
	for i, r := range strings.Split(list, ", ") {
		one := d.reading(w.minutesAgo(minutes))
		one["batch_id"] = fmt.Sprintf("%s_%d", one.batch(), i)
		w.remember(r, one)
		all = append(all, one)
	}
	slices.Reverse(all)
	return w.delivered(ctx, d, all)
}

// delivered sends readings, all of which must be stored.
func (w *world) delivered(ctx context.Context, d *device, all []reading) error {
	if err := w.deliver(ctx, all); err != nil {
		return err
	}
	got, err := httpapi.Decode[delivery](w.Last)
	if err == nil && got.Stored != len(all) {
		err = fmt.Errorf("of %d readings: %s", len(all), w.Last)
	}
	d.sent = append(d.sent, all...)
	return err
}

func (w *world) latest(ctx context.Context, name string) error {
	return w.data(ctx, http.MethodGet, "/devices/"+w.device(name).hardwareID+"/readings/latest", nil)
}

func (w *world) latestCanBeRead(ctx context.Context, name string) error {
	return errors.Join(w.latest(ctx, name), w.Last.Succeeded())
}

func (w *world) isTaken(minutes string) error {
	got, err := httpapi.Decode[readingRecord](w.Last)
	if err == nil && got.TimestampMS != w.minutesAgo(minutes).UnixMilli() {
		err = fmt.Errorf("it is %s", w.Last)
	}
	return err
}

func (w *world) between(ctx context.Context, name, from, to, newestFirst string) error {
	low, high := w.minutesAgo(from).UnixMilli(), w.minutesAgo(to).UnixMilli()
	w.Set("from", fmt.Sprintf("%013d", low))
	w.Set("to", fmt.Sprintf("%013d", high))
	query := url.Values{"from": {strconv.FormatInt(low, 10)}, "to": {strconv.FormatInt(high, 10)}}
	if newestFirst != "" {
		query.Set("order", "desc")
	}
	return w.listReadings(ctx, w.device(name), query)
}

func (w *world) allReadings(ctx context.Context, limit string) error {
	return w.listReadings(ctx, w.current, url.Values{"limit": {limit}})
}

func (w *world) listReadings(ctx context.Context, d *device, query url.Values) error {
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	return w.listAll(ctx, key, "/devices/"+d.hardwareID+"/readings", query)
}

// listed returns the readings of all pages.
func (w *world) listed() []readingRecord {
	var all []readingRecord
	for _, p := range w.pages {
		all = append(all, p.Readings...)
	}
	return all
}

func (w *world) areTaken(minutes string) error {
	var want, got []int64
	for _, m := range numbers(minutes) {
		want = append(want, w.minutesAgo(m).UnixMilli())
	}
	for _, r := range w.listed() {
		got = append(got, r.TimestampMS)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("they are of %v, not %v", got, want)
	}
	return nil
}

func (w *world) areReadings(list string) error {
	var got, want []string
	for _, r := range w.listed() {
		got = append(got, r.BatchID)
	}
	for name := range strings.SplitSeq(list, ", ") {
		batch, err := w.Fill("{batch of " + name + "}")
		if err != nil {
			return err
		}
		want = append(want, batch)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("they are %v, not %v", got, want)
	}
	return nil
}

func (w *world) everyReadingOnce() error {
	return sameOnce(w.current.sent, w.listed())
}

// sameOnce checks that every sent batch occurs once, in order of time.
func sameOnce(sent []reading, got []readingRecord) error {
	if !slices.IsSortedFunc(got, func(a, b readingRecord) int { return int(a.TimestampMS - b.TimestampMS) }) {
		return errors.New("they are not in the order of time")
	}
	left := map[string]bool{}
	for _, r := range sent {
		left[r.batch()] = true
	}
	if len(got) != len(left) {
		return fmt.Errorf("%d are there of %d", len(got), len(left))
	}
	for _, r := range got {
		if !left[r.BatchID] {
			return fmt.Errorf("%s is there twice or was never sent", r.BatchID)
		}
		delete(left, r.BatchID)
	}
	return nil
}
