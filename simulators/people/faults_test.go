package people_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// tamper answers a request in place of the backend, or before it; true when it was answered.
type tamper func(w http.ResponseWriter, r *http.Request, backend http.Handler) bool

// elsewhere is a backend that somebody else has started, with its gateway; tampered answers for it where it returns true.
func elsewhere(t *testing.T, tampered tamper) people.Config {
	t.Helper()
	quick := func(c *backend.Config) { c.Wait = venue.NoPause }
	v, err := venue.Embed(t.Context(), "notification", venue.Start(), venue.Config{Seed: 1}, quick)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	base, err := url.Parse(v.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(base)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !tampered(w, r, proxy) {
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return people.Config{
		Config: venue.Config{Seed: 1, BaseURL: server.URL, AdminToken: v.Embedded.Backend.AdminToken, Emulator: v.Embedded.Emulator.DynamoDBURL()},
		People: 5, Duration: 4 * 24 * time.Hour, Gateway: v.Embedded.Backend.PushURL,
	}
}

func is(r *http.Request, method, end string) bool {
	return r.Method == method && strings.HasSuffix(r.URL.Path, end)
}

// takes changes the body of a request before the backend has it.
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
	if is(r, "POST", "/events") {
		takes(r, func(body map[string]any) { delete(body, "dedupeKey") })
	}
	return false
}

func forgetsSleep(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if is(r, "PUT", "/preferences") {
		takes(r, func(body map[string]any) { body["quietHours"] = make([]bool, 24) })
	}
	return false
}

func staysAtHome(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if is(r, "PUT", "/preferences") {
		takes(r, func(body map[string]any) { delete(body, "timezone") })
	}
	return false
}

func ignoresPhones(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !is(r, "POST", "/devices") {
		return false
	}
	w.WriteHeader(http.StatusCreated)
	return true
}

func doesNotWork(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !is(r, "POST", "/work") {
		return false
	}
	_, _ = io.WriteString(w, `{}`)
	return true
}

// sendsElsewhere has what is about one person told to another.
func sendsElsewhere(_ http.ResponseWriter, r *http.Request, backend http.Handler) bool {
	if is(r, "POST", "/events") {
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

// losesEvents acknowledges what it does not keep.
func losesEvents(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
	if !is(r, "POST", "/events") {
		return false
	}
	takes(r, func(body map[string]any) {
		body["id"], body["status"], body["category"] = "lost-"+body["userId"].(string), "PENDING", "SOCIAL"
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(body)
	})
	return true
}

// TestFaults finds what a backend does wrong, and nothing where it does all right.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  string
		tamper tamper
	}{
		"none":                           {"", func(http.ResponseWriter, *http.Request, http.Handler) bool { return false }},
		"dedupeKeys are forgotten":       {sim.Twice, forgetsKeys},
		"quiet hours are forgotten":      {"pushes in quiet hours", forgetsSleep},
		"time zones are forgotten":       {"pushes in quiet hours", staysAtHome},
		"devices are forgotten":          {sim.Lost, ignoresPhones},
		"nobody works":                   {"events that did not come to an end", doesNotWork},
		"events are told to a wrong one": {sim.Foreign, sendsElsewhere},
		"events are lost":                {sim.Lost, losesEvents},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, err := people.Run(t.Context(), elsewhere(t, c.tamper))
			if err != nil {
				t.Fatal(err)
			}
			if (res.Err() == nil) != (c.fault == "") || c.fault != "" && lines(res)[c.fault] == 0 {
				report(t, res)
				t.Errorf("%v", res.Err())
			}
		})
	}
}
