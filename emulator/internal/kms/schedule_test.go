package kms

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestADeletionThatPanicsIsRepeated makes the deletion of a key panic, with an account without its service.
func TestADeletionThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	state, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now := clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	s, err := New(Config{Store: state, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask(t, s, "CreateKey", `{}`)
	var a *account
	for _, a = range s.accounts {
		for id := range a.keys {
			ask(t, s, "ScheduleKeyDeletion", `{"KeyId":"`+id+`","PendingWindowInDays":7}`)
		}
	}
	a.Service = nil
	advance(t, now, 7*24*time.Hour)
	if a.Service = s; len(a.keys) != 1 {
		t.Fatalf("there are %d keys after a deletion that panicked", len(a.keys))
	}
	advance(t, now, time.Minute)
	if len(a.keys) != 0 {
		t.Errorf("there are %d keys a minute later", len(a.keys))
	}
}

func advance(t *testing.T, c *clock.Clock, d time.Duration) {
	t.Helper()
	if err := c.Advance(d); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, s *Service, operation, body string) {
	t.Helper()
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("X-Amz-Target", TargetPrefix+operation)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/kms/aws4_request, SignedHeaders=host, Signature=0")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != 200 {
		t.Fatalf("%s: %d %s", operation, w.Code, w.Body)
	}
}
