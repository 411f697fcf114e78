package telemetryapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi/telemetrytest"
)

func TestClient(t *testing.T) {
	t.Parallel()
	b := telemetrytest.Start(t)
	admin := &telemetryapi.Client{BaseURL: b.URL + "/", AdminToken: telemetrytest.AdminToken}
	key, err := admin.CreateKey(t.Context(), "a test")
	if err != nil {
		t.Fatal(err)
	}
	c := admin.WithKey(key.APIKey)
	d, err := c.Register(t.Context(), telemetryapi.Registration{HardwareID: "02:00:00:00:00:01"})
	if err != nil || d.ConfirmationID == "" {
		t.Fatal(d, err)
	}
	reading := telemetryapi.Reading{HardwareID: d.HardwareID, BatchID: "one", TimestampMS: 1_700_000_000_000}
	for _, want := range []string{telemetryapi.Stored, telemetryapi.Duplicate} {
		ack, err := c.Send(t.Context(), []telemetryapi.Reading{reading})
		if err != nil || ack.Results[0].Status != want {
			t.Errorf("got %+v, %v, want %s", ack, err, want)
		}
	}
	page, err := c.Readings(t.Context(), d.HardwareID, reading.TimestampMS, reading.TimestampMS, 10, "")
	if err != nil || len(page.Readings) != 1 || page.NextCursor != "" {
		t.Errorf("read %+v, %v", page, err)
	}
	if err := admin.RevokeKey(t.Context(), key.KeyID); err != nil || b.Keys() != 0 {
		t.Errorf("%v, %d keys", err, b.Keys())
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]struct{ transient, refused bool }{
		http.StatusUnauthorized:        {refused: true},
		http.StatusForbidden:           {refused: true},
		http.StatusUnprocessableEntity: {},
		http.StatusTooManyRequests:     {transient: true},
		http.StatusBadGateway:          {transient: true},
	} {
		b := telemetrytest.Start(t)
		b.FailStatus = func(*http.Request) int { return status }
		c := &telemetryapi.Client{BaseURL: b.URL, APIKey: telemetrytest.APIKey}
		_, err := c.Send(t.Context(), nil)
		if telemetryapi.IsTransient(err) != want.transient || telemetryapi.IsUnauthorized(err) != want.refused {
			t.Errorf("%d: %v", status, err)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "POST /telemetry/readings: ") || !strings.HasSuffix(err.Error(),
			" injected failure") {
			t.Errorf("%d reads %v", status, err)
		}
	}
	nobody := &telemetryapi.Client{BaseURL: "http://127.0.0.1:1"}
	if _, err := nobody.Send(t.Context(), nil); !telemetryapi.IsTransient(err) {
		t.Error("nobody there:", err)
	}
}
