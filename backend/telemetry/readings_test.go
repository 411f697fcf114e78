package telemetry

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestReadingsRange checks TL-P5 and TL-P6: both ends inclusive, in either order, page by page.
func TestReadingsRange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, other := w.register(1), w.register(2)
	w.want(404, w.call("GET", "/telemetry/devices/"+id+"/readings/latest", nil))
	var sent []map[string]any
	var batches []string
	for i := range int64(9) {
		sent = append(sent, readingOfDevice(id, noon+10*i))
		batches = append(batches, sent[i]["batch_id"].(string))
	}
	w.deliver(append(slices.Clone(sent[4:]), sent[:4]...)...) // in any order
	w.deliver(readingOfDevice(other, noon+30))
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"limit=100", batches},
		{"limit=4", batches},
		{"limit=3&order=desc", reversed(batches)},
		{fmt.Sprintf("limit=2&from=%d&to=%d", noon+20, noon+50), batches[2:6]},
		{fmt.Sprintf("limit=2&from=%d&to=%d&order=desc", noon+19, noon+51), reversed(batches[2:6])},
		{fmt.Sprintf("limit=2&from=%d", noon+70), batches[7:]},
		{fmt.Sprintf("limit=2&to=%d", noon), batches[:1]},
		{fmt.Sprintf("limit=2&from=%d&to=%d", noon+1, noon+9), nil},
	} {
		if got := w.pages("/telemetry/devices/"+id+"/readings?"+c.query, "readings", "batch_id"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.query, got, c.want)
		}
	}
	latest := w.want(200, w.call("GET", "/telemetry/devices/"+id+"/readings/latest", nil)).body
	if latest["batch_id"] != batches[8] {
		t.Errorf("latest %v", latest["batch_id"])
	}
}

func reversed(in []string) []string {
	out := slices.Clone(in)
	slices.Reverse(out)
	return out
}

// TestReadingsExact checks that every number is returned as sent, up to 38 digits.
func TestReadingsExact(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.register(1)
	const sensors = `{"a":0.1,"b":-12345678901234567890.123456789012345678,"c":1013.25,"d":0}`
	body := strings.Replace(string(mustJSON(t, map[string]any{"readings": []any{with(readingOfDevice(id, noon), "sensors",
		"HERE")}})), `"HERE"`, sensors, 1)
	w.want(200, w.call("POST", "/telemetry/readings", body))
	got := w.want(200, w.call("GET", "/telemetry/devices/"+id+"/readings/latest", nil))
	if !strings.Contains(got.raw, `"sensors":`+sensors) {
		t.Errorf("read back %s", got.raw)
	}
}

// TestReadingsRefused checks that errors name the invalid parameter. A cursor that the service did not create, or
// created for another listing, never reaches the database.
func TestReadingsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, other := w.register(1), w.register(2)
	w.deliver(readingOfDevice(id, noon), readingOfDevice(id, noon+1), readingOfDevice(other, noon),
		readingOfDevice(other, noon+1))
	cursor := func(path string) string {
		next, ok := w.want(200, w.call("GET", path+"limit=1", nil)).body["next_cursor"].(string)
		if !ok {
			t.Fatalf("%s has one page", path)
		}
		return next
	}
	own := cursor("/telemetry/devices/" + id + "/readings?")
	for _, c := range []struct {
		query    string
		status   int
		location string
	}{
		{"limit=0", 422, "query.limit"},
		{"limit=1001", 422, "query.limit"},
		{"from=x", 422, "query.from"},
		{"to=-1", 422, "query.to"},
		{"from=2&to=1", 422, "query.from"},
		{"order=up", 422, "query.order"},
		{"colour=red", 422, "query.colour"},
		{"cursor=!", 400, "query.cursor"},
		{"cursor=" + own[:len(own)-4], 400, "query.cursor"},
		{"cursor=" + cursor("/telemetry/devices?"), 400, "query.cursor"},
		{"cursor=" + cursor("/telemetry/devices/"+other+"/readings?"), 400, "query.cursor"},
		{fmt.Sprintf("from=%d&cursor=%s", noon+5, own), 400, "query.cursor"}, // outside the range
	} {
		got := w.want(c.status, w.call("GET", "/telemetry/devices/"+id+"/readings?"+c.query, nil))
		if !strings.Contains(got.raw, `"location":"`+c.location+`"`) {
			t.Errorf("%s: want a problem at %s, got %s", c.query, c.location, got.raw)
		}
	}
	w.want(422, w.call("GET", "/telemetry/devices/nonsense/readings", nil))
	w.want(400, w.call("GET", "/telemetry/devices?cursor="+own, nil))
	w.want(400, w.admin("GET", "/telemetry/api-keys?cursor="+own, nil))
}
