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

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *world) listing(sc *godog.ScenarioContext) {
	sc.Step(`^(\d+) devices that registered (a minute apart|at the same time)$`, w.manyRegistered)
	sc.Step(`^the devices are listed$`, func(ctx context.Context) error { return w.listDevices(ctx, url.Values{}) })
	sc.Step(`^the devices are listed in pages of (\d+)$`, func(ctx context.Context, n string) error {
		return w.listDevices(ctx, url.Values{"limit": {n}})
	})
	sc.Step(`^the devices are listed with an invalid cursor$`, func(ctx context.Context) error {
		return w.data(ctx, http.MethodGet, "/devices?cursor=bWFkZSB1cA", nil)
	})
	sc.Step(`^the list is "([^"]*)"$`, w.listIs)
	sc.Step(`^the pages have ([\d, and]+) (?:devices|readings|keys)$`, w.pagesHave)
	sc.Step(`^every key is on one page$`, w.everyKeyOnce)
	sc.Step(`^every device is on one page(, newest first)?$`, w.everyDeviceOnce)
	sc.Step(`^every item of "devices" has gsi1pk 'devices' and its last activity as gsi1sk$`, w.onePartition)
}

func (w *world) manyRegistered(ctx context.Context, n int, how string) error {
	for i := range n {
		if err := w.isRegistered(ctx, fmt.Sprintf("device %02d", i+1)); err != nil {
			return err
		}
		if how == "a minute apart" {
			w.Clock.Advance(steps.DurationOf(1, "minute"))
		}
	}
	return nil
}

func (w *world) listDevices(ctx context.Context, query url.Values) error {
	key, err := w.fleetKey(ctx)
	if err != nil {
		return err
	}
	if err := w.AwaitIndexEntries(ctx, "devices", "gsi1"); err != nil {
		return err
	}
	return w.listAll(ctx, key, "/devices", query)
}

// listIs compares the names of devices or the descriptions of keys.
func (w *world) listIs(want string) error {
	var got []string
	for _, p := range w.pages {
		for _, d := range p.Devices {
			got = append(got, w.nameOf(d.HardwareID))
		}
		for _, k := range p.APIKeys {
			got = append(got, k.Description)
		}
	}
	if list := strings.Join(got, ", "); list != want {
		return fmt.Errorf("it is %q", list)
	}
	return nil
}

func (w *world) nameOf(hardwareID string) string {
	for name, d := range w.devices {
		if d.hardwareID == hardwareID {
			return name
		}
	}
	return hardwareID
}

func (w *world) pagesHave(want string) error {
	var sizes []string
	for _, p := range w.pages {
		sizes = append(sizes, strconv.Itoa(p.size()))
	}
	if !slices.Equal(sizes, numbers(want)) {
		return fmt.Errorf("they have %s", strings.Join(sizes, ", "))
	}
	return nil
}

// numbers parses a list such as "10, 20 and 5".
func numbers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

func (w *world) everyDeviceOnce(ordered string) error {
	var seen []deviceRecord
	for _, p := range w.pages {
		seen = append(seen, p.Devices...)
	}
	if ordered != "" && !slices.IsSortedFunc(seen, func(a, b deviceRecord) int {
		return strings.Compare(b.LastSeenAt, a.LastSeenAt)
	}) {
		return errors.New("they are not in the order of their last activity")
	}
	ids := map[string]bool{}
	for _, d := range seen {
		ids[d.HardwareID] = true
	}
	if len(ids) != len(w.devices) || len(seen) != len(w.devices) {
		return fmt.Errorf("%d entries, %d devices, of %d", len(seen), len(ids), len(w.devices))
	}
	return nil
}

// everyKeyOnce checks that no key is on two pages, which have as many entries as there are keys.
func (w *world) everyKeyOnce(ctx context.Context) error {
	items, err := w.Items(ctx, "api_keys")
	if err != nil {
		return err
	}
	ids, entries := map[string]bool{}, 0
	for _, p := range w.pages {
		for _, k := range p.APIKeys {
			ids[k.KeyID] = true
			entries++
		}
	}
	if len(ids) != len(items) || entries != len(items) {
		return fmt.Errorf("%d entries, %d keys, of %d", entries, len(ids), len(items))
	}
	return nil
}

func (w *world) onePartition(ctx context.Context) error {
	items, err := w.Items(ctx, "devices")
	if err != nil {
		return err
	}
	for _, item := range items {
		pk, sk := wire.Value(item["gsi1pk"]), wire.Value(item["gsi1sk"])
		if pk != "'devices'" || sk != wire.Value(item["last_seen_at"]) {
			return fmt.Errorf("one has %s and %s", pk, sk)
		}
	}
	return nil
}
