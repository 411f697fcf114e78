package people_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue/venuetest"
)

// elsewhere starts a backend with its gateway, as somebody else would.
func elsewhere(t *testing.T, tamper venuetest.Tamper) people.Config {
	t.Helper()
	at, gateway := venuetest.Elsewhere(t, "notification", tamper)
	return people.Config{Config: at, People: 5, Duration: 4 * 24 * time.Hour, Gateway: gateway}
}

// takes changes the body of a request before the backend gets it.
func takes(r *http.Request, change func(body map[string]any)) {
	var body map[string]any
	text, _ := io.ReadAll(r.Body)
	if json.Unmarshal(text, &body) == nil {
		change(body)
		text, _ = json.Marshal(body)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}

func forgetsKeys(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if venuetest.Is(r, "POST", "/events") {
		takes(r, func(body map[string]any) { delete(body, "dedupeKey") })
	}
	return false
}

func forgetsSleep(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if venuetest.Is(r, "PUT", "/preferences") {
		takes(r, func(body map[string]any) { body["quietHours"] = make([]bool, 24) })
	}
	return false
}

func staysAtHome(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if venuetest.Is(r, "PUT", "/preferences") {
		takes(r, func(body map[string]any) { delete(body, "timezone") })
	}
	return false
}

func ignoresPhones(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !venuetest.Is(r, "POST", "/devices") {
		return false
	}
	w.WriteHeader(http.StatusCreated)
	return true
}

func doesNotWork(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !venuetest.Is(r, "POST", "/work") {
		return false
	}
	_, _ = io.WriteString(w, `{}`)
	return true
}

// sendsElsewhere sends one person's events to another person.
func sendsElsewhere(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if venuetest.Is(r, "POST", "/events") {
		text, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(text))
		once := r.Clone(r.Context())
		once.Body = io.NopCloser(bytes.NewReader(text))
		takes(once, func(body map[string]any) {
			delete(body, "dedupeKey")
			user := body["userId"].(string)
			body["userId"] = user[:len(user)-1] + "0"
		})
		backend.ServeHTTP(httptest.NewRecorder(), once)
	}
	return false
}

// losesEvents acknowledges events and drops them.
func losesEvents(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !venuetest.Is(r, "POST", "/events") {
		return false
	}
	takes(r, func(body map[string]any) {
		body["id"], body["status"], body["category"] = "lost-"+body["userId"].(string), "PENDING", "SOCIAL"
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(body)
	})
	return true
}

// TestFaults checks that each fault of a backend is found, and none in a correct backend.
func TestFaults(t *testing.T) {
	t.Parallel()
	venuetest.Find(t, map[string]venuetest.Fault{
		"dedupeKeys are forgotten":       {Line: sim.Twice, Tamper: forgetsKeys},
		"quiet hours are forgotten":      {Line: "pushes in quiet hours", Tamper: forgetsSleep},
		"time zones are forgotten":       {Line: "pushes in quiet hours", Tamper: staysAtHome},
		"devices are forgotten":          {Line: sim.Lost, Tamper: ignoresPhones},
		"nobody works":                   {Line: "events without a final status", Tamper: doesNotWork},
		"events are told to a wrong one": {Line: sim.Foreign, Tamper: sendsElsewhere},
		"events are lost":                {Line: sim.Lost, Tamper: losesEvents},
	}, func(t *testing.T, tamper venuetest.Tamper) (sim.Result, error) {
		t.Helper()
		return people.Run(t.Context(), elsewhere(t, tamper))
	})
}
