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
	"github.com/tabletop-db/tabletop/simulators/simenv/simenvtest"
)

// remoteConfig starts a backend with its gateway, as somebody else would.
func remoteConfig(t *testing.T, intercept simenvtest.Interceptor) people.Config {
	t.Helper()
	cfg, gateway := simenvtest.StartRemote(t, "notification", intercept)
	return people.Config{Config: cfg, People: 5, Duration: 4 * 24 * time.Hour, Gateway: gateway}
}

// rewriteBody changes the body of a request before the backend gets it.
func rewriteBody(r *http.Request, change func(body map[string]any)) {
	var body map[string]any
	text, _ := io.ReadAll(r.Body)
	if json.Unmarshal(text, &body) == nil {
		change(body)
		text, _ = json.Marshal(body)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
}

func dropDedupeKeys(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if simenvtest.Matches(r, "POST", "/events") {
		rewriteBody(r, func(body map[string]any) { delete(body, "dedupeKey") })
	}
	return false
}

func dropQuietHours(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if simenvtest.Matches(r, "PUT", "/preferences") {
		rewriteBody(r, func(body map[string]any) { body["quietHours"] = make([]bool, 24) })
	}
	return false
}

func dropTimeZones(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if simenvtest.Matches(r, "PUT", "/preferences") {
		rewriteBody(r, func(body map[string]any) { delete(body, "timezone") })
	}
	return false
}

func ignoreDevices(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !simenvtest.Matches(r, "POST", "/devices") {
		return false
	}
	w.WriteHeader(http.StatusCreated)
	return true
}

func ignoreWork(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !simenvtest.Matches(r, "POST", "/work") {
		return false
	}
	_, _ = io.WriteString(w, `{}`)
	return true
}

// duplicateToAnother sends one person's events to another person.
func duplicateToAnother(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if simenvtest.Matches(r, "POST", "/events") {
		text, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(text))
		once := r.Clone(r.Context())
		once.Body = io.NopCloser(bytes.NewReader(text))
		rewriteBody(once, func(body map[string]any) {
			delete(body, "dedupeKey")
			user := body["userId"].(string)
			body["userId"] = user[:len(user)-1] + "0"
		})
		backend.ServeHTTP(httptest.NewRecorder(), once)
	}
	return false
}

// dropEvents acknowledges events and drops them.
func dropEvents(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !simenvtest.Matches(r, "POST", "/events") {
		return false
	}
	rewriteBody(r, func(body map[string]any) {
		body["id"], body["status"], body["category"] = "lost-"+body["userId"].(string), "PENDING", "SOCIAL"
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(body)
	})
	return true
}

// TestFaults checks that each fault of a backend is found, and none in a correct backend.
func TestFaults(t *testing.T) {
	t.Parallel()
	simenvtest.CheckFaults(t, map[string]simenvtest.Fault{
		"dedupeKeys are forgotten":          {Line: sim.Duplicated, Intercept: dropDedupeKeys},
		"quiet hours are forgotten":         {Line: "pushes in quiet hours", Intercept: dropQuietHours},
		"time zones are forgotten":          {Line: "pushes in quiet hours", Intercept: dropTimeZones},
		"devices are forgotten":             {Line: sim.Lost, Intercept: ignoreDevices},
		"nobody works":                      {Line: "events without a final status", Intercept: ignoreWork},
		"events are sent to a wrong person": {Line: sim.Unexpected, Intercept: duplicateToAnother},
		"events are lost":                   {Line: sim.Lost, Intercept: dropEvents},
	}, func(t *testing.T, intercept simenvtest.Interceptor) (sim.Result, error) {
		t.Helper()
		return people.Run(t.Context(), remoteConfig(t, intercept))
	})
}
