package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/httpapi"
)

func (w *world) ingestion(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" (?:delivers|has delivered) the reading "([^"]*)" taken (?:now|(\d+) minutes? ago)$`,
		func(ctx context.Context, d, r, minutes string) error {
			return w.deliverNamed(ctx, d, r, w.minutesAgo(minutes))
		})
	sc.Step(`^"([^"]*)" (?:delivers|has delivered) the reading "([^"]*)" taken at (\d+) milliseconds$`,
		func(ctx context.Context, d, r string, ms int64) error {
			return w.deliverNamed(ctx, d, r, time.UnixMilli(ms))
		})
	sc.Step(`^"([^"]*)" delivers, under the batch id of "([^"]*)", the reading "([^"]*)" taken (\d+) minutes? ago$`,
		w.deliversUnder)
	sc.Step(`^"([^"]*)" delivers a reading with the values '([^']*)' and the status '([^']*)'$`, w.deliversValues)
	sc.Step(`^"([^"]*)" delivers a reading taken at (\S+)$`, w.deliversAt)
	sc.Step(`^"([^"]*)" delivers a reading whose (\w+) is "([^"]*)"$`,
		func(ctx context.Context, name, member, value string) error {
			return w.with(ctx, name, map[string]string{member: strconv.Quote(value)})
		})
	sc.Step(`^"([^"]*)" delivers a reading with the batch id (.+)$`, w.deliversBatchID)
	sc.Step(`^"([^"]*)" (?:delivers|has delivered) (\d+) readings a minute apart$`, w.deliversMany)
	sc.Step(`^"([^"]*)" delivers (\d+) readings? a second for a minute$`, w.deliversSteadily)
	sc.Step(`^the administrator lists the hottest devices$`, func(ctx context.Context) error {
		return w.MustSend(ctx, administrator, http.MethodGet, "/hot-devices", nil)
	})
	sc.Step(`^a delivery contains:$`, w.deliveryBrings)
	sc.Step(`^it is stored$`, func() error { return w.resultIs("stored", "") })
	sc.Step(`^it is a duplicate$`, func() error { return w.resultIs("duplicate", "") })
	sc.Step(`^it is rejected because of "([^"]*)"$`, func(reason string) error { return w.resultIs("rejected", reason) })
	sc.Step(`^the results are:$`, w.resultsAre)
	sc.Step(`^all (\d+) are stored, in the order in which they were sent$`, w.allStored)
	sc.Step(`^(\d+) (?:is|are) stored and (\d+) (?:is a duplicate|are duplicates)$`, w.storedAndDuplicate)
	sc.Step(`^its latest reading has the values '([^']*)' and the status '([^']*)'$`, w.latestHas)
	sc.Step(`^the document's example of a batch id$`, func() { w.Set("documented batch id", documentedBatchID) })
	sc.Step(`^the API description allows this batch id, while the document's "([^"]*)" does not$`, w.patternsDiffer)
}

// documentedBatchID is the document's example, which the document's own pattern for batch ids does not match (TL-D1).
const documentedBatchID = "AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000"

// patternsDiffer compares the pattern that the API description publishes for batch ids with the documented one.
func (w *world) patternsDiffer(ctx context.Context, documented string) error {
	description, err := httpapi.Decode[struct {
		Components struct {
			Schemas struct {
				Item struct {
					Properties map[string]struct{ Pattern string }
				}
			}
		}
	}](w.Send(ctx, httpapi.Anonymous, http.MethodGet, "/openapi.json", nil))
	if err != nil {
		return err
	}
	published := description.Components.Schemas.Item.Properties["batch_id"].Pattern
	allowed, err := regexp.MatchString(published, documentedBatchID)
	if err != nil || published == "" || !allowed {
		return fmt.Errorf("the API description's pattern %q does not match %s (%v)", published, documentedBatchID, err)
	}
	if allowed, err = regexp.MatchString(documented, documentedBatchID); err != nil || allowed {
		return fmt.Errorf("the document's pattern %q matches %s (%v)", documented, documentedBatchID, err)
	}
	return nil
}

func (w *world) deliversUnder(ctx context.Context, name, other, r, minutes string) error {
	one := w.device(name).reading(w.minutesAgo(minutes))
	one["batch_id"] = w.sent[other].batch()
	w.remember(r, one)
	return w.deliver(ctx, []reading{one})
}

// with sends a reading of the device, taken now, with members replaced by JSON from the step.
func (w *world) with(ctx context.Context, name string, members map[string]string) error {
	one := w.device(name).reading(w.Clock.Now())
	for member, text := range members {
		one[member] = json.RawMessage(text)
	}
	return w.deliver(ctx, []reading{one})
}

func (w *world) deliversValues(ctx context.Context, name, values, status string) error {
	return w.with(ctx, name, map[string]string{"sensors": values, "sensor_status": status})
}

func (w *world) deliversAt(ctx context.Context, name, ms string) error {
	return w.with(ctx, name, map[string]string{"timestamp_ms": ms})
}

// deliversBatchID sends a reading with a batch id, which is given in quotes or by its length.
func (w *world) deliversBatchID(ctx context.Context, name, id string) error {
	if n := numbers(id); strings.HasPrefix(id, "of ") {
		length, _ := strconv.Atoi(n[0]) // numbers consist of digits
		id = strconv.Quote(strings.Repeat("a", length))
	}
	id, err := w.Fill(id)
	if err != nil {
		return err
	}
	return w.with(ctx, name, map[string]string{"batch_id": id})
}

func (w *world) deliversMany(ctx context.Context, name string, n int) error {
	d := w.device(name)
	var all []reading
	for i := range n {
		all = append(all, d.reading(w.Clock.Now().Add(time.Duration(i-n)*time.Minute)))
	}
	d.sent = append(d.sent, all...)
	return w.deliver(ctx, all)
}

// deliversSteadily sends the readings of ten seconds at once, six times. It ends at the sixth, before another ten
// seconds pass.
func (w *world) deliversSteadily(ctx context.Context, name string, rate int) error {
	for i := range 6 {
		if i > 0 {
			w.Clock.Advance(10 * time.Second)
		}
		if err := w.deliversMany(ctx, name, 10*rate); err != nil {
			return err
		}
	}
	return w.Last.Succeeded()
}

// flaws returns what can be wrong with a reading.
func flaws() map[string]func(reading) {
	return map[string]func(reading){
		"":                   func(reading) {},
		"lower-case address": func(r reading) { r["hardware_id"] = "aa:bb:cc:dd:ee:ff" },
		"time in seconds":    func(r reading) { r["timestamp_ms"] = r["timestamp_ms"].(int64) / 1000 },
		"text for a value":   func(r reading) { r["sensors"] = map[string]string{"bme280_temp_c": "warm"} },
	}
}

func (w *world) deliveryBrings(ctx context.Context, rows *godog.Table) error {
	var all []reading
	for i, row := range rows.Rows[1:] {
		d, name, flaw := w.device(row.Cells[0].Value), row.Cells[1].Value, row.Cells[2].Value
		one, again := w.sent[name]
		if !again {
			one = d.reading(w.Clock.Now().Add(time.Duration(i-100) * time.Second))
			w.remember(name, one)
			flaws()[flaw](one)
		}
		all = append(all, one)
	}
	return w.deliver(ctx, all)
}

// resultIs checks the response to a delivery of one reading.
func (w *world) resultIs(status, reason string) error {
	got, err := httpapi.Decode[delivery](w.Last)
	if err != nil {
		return err
	}
	if len(got.Results) != 1 || got.Results[0].Status != status || !strings.Contains(got.Results[0].Reason, reason) {
		return fmt.Errorf("the response is %s", w.Last)
	}
	return nil
}

func (w *world) resultsAre(rows *godog.Table) error {
	got, err := httpapi.Decode[delivery](w.Last)
	if err != nil {
		return err
	}
	if len(got.Results) != len(rows.Rows) {
		return fmt.Errorf("there are %d responses", len(got.Results))
	}
	for i, row := range rows.Rows {
		name, status, reason := row.Cells[0].Value, row.Cells[1].Value, row.Cells[2].Value
		r := got.Results[i]
		if r.BatchID != w.sent[name].batch() || r.Status != status || !strings.Contains(r.Reason, reason) {
			return fmt.Errorf("result %d is %+v", i+1, r)
		}
		if status == "rejected" && r.Reason == "" {
			return fmt.Errorf("result %d has no reason", i+1)
		}
	}
	return nil
}

func (w *world) allStored(n int) error {
	got, err := httpapi.Decode[delivery](w.Last)
	if err != nil {
		return err
	}
	sent := w.current.sent
	if len(got.Results) != n || got.Stored != n || len(sent) != n {
		return fmt.Errorf("%d responses, %d stored", len(got.Results), got.Stored)
	}
	for i, r := range got.Results {
		if r.Status != "stored" || r.BatchID != sent[i].batch() {
			return fmt.Errorf("result %d is %+v", i+1, r)
		}
	}
	return nil
}

// storedAndDuplicate checks the sums of all senders' responses, or the one response.
func (w *world) storedAndDuplicate(stored, duplicate int) error {
	all := w.Responses
	if all == nil {
		all = []httpapi.Response{w.Last}
	}
	got, err := total(all)
	if err == nil && (got.Stored != stored || got.Duplicate != duplicate || got.Rejected != 0) {
		err = fmt.Errorf("%d are stored, %d duplicates, %d rejected", got.Stored, got.Duplicate, got.Rejected)
	}
	return err
}

func (w *world) latestHas(ctx context.Context, values, status string) error {
	if err := w.latest(ctx, w.current.name); err != nil {
		return err
	}
	got, err := httpapi.Decode[readingRecord](w.Last)
	if err == nil && !(sameJSON(got.Sensors, values) && sameJSON(got.SensorStatus, status)) {
		err = fmt.Errorf("it is %s", w.Last)
	}
	return err
}

func sameJSON(got json.RawMessage, want string) bool {
	var a, b any
	return json.Unmarshal(got, &a) == nil && json.Unmarshal([]byte(want), &b) == nil && reflect.DeepEqual(a, b)
}
