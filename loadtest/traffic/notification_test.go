package traffic

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// busyBackend is a transport to a backend whose own workers have claimed all events. A user's notification appears when
// they have read their list several times.
type busyBackend struct {
	mu       sync.Mutex
	needed   int            // reads before the notification appears
	readings map[string]int // by user
}

func (b *busyBackend) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body := `{"found":0}`
	if r.Method == http.MethodGet {
		user := r.Header.Get("Authorization")
		body = `{"notifications":[]}`
		if b.readings[user]++; b.readings[user] > b.needed {
			body = `{"notifications":[{"id":"of-` + user + `"}]}`
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// testNotifications returns the traffic of two users of a backend.
func testNotifications(backend http.RoundTripper) *notifications {
	n := newNotifications(Setup{BaseURL: "http://backend", Profile: profile.Profile{ID: "NT-L9", System: "notification",
		Population: profile.Population{"users": 2, "notifications": 1}}})
	n.api.client.HTTP = &http.Client{Transport: backend}
	n.tokens = []http.Header{{"Authorization": {"0"}}, {"Authorization": {"1"}}}
	return n
}

// TestEventsClaimedByOtherWorkers checks that a run waits until the workers of the backend have processed the events
// that they claimed, so that every user has a notification to mark as read.
func TestEventsClaimedByOtherWorkers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := testNotifications(&busyBackend{needed: 3, readings: map[string]int{}})
		if err := n.processEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([][]string{{"of-0"}, {"of-1"}}, n.ids); diff != "" {
			t.Error(diff)
		}
	})
}

// TestEventsThatNobodyProcesses checks that a run ends with an error if a user gets no notification.
func TestEventsThatNobodyProcesses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := testNotifications(&busyBackend{needed: 1_000_000, readings: map[string]int{}})
		want := "user us-east-1:00000000-86c4-4b1d-9a55-000000000001 still has no notification after 30s: " +
			"check that the backend processes events"
		if err := n.processEvents(t.Context()); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}
