package webconsole

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// TestSessionsEnd lets time pass, ends a session, and begins more than are kept.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s := sessions{now: func() time.Time { return now }}
	ana := s.begin(identity.Key{ID: "ana", Secret: "secret"})
	if key, ok := s.find(ana); !ok || key.Secret != "secret" {
		t.Errorf("%v %v", key, ok)
	}
	now = now.Add(sessionLifetime - 1)
	if _, ok := s.find(ana); !ok {
		t.Error("it ended early")
	}
	bob := s.begin(identity.Key{ID: "bob"})
	if now = now.Add(1); has(&s, ana) || !has(&s, bob) {
		t.Error("ana's session did not end after its lifetime, or bob's did")
	}
	if s.end(bob); has(&s, bob) {
		t.Error("bob's session did not end")
	}
	if has(&s, "") {
		t.Error("there is a session without an id")
	}
}

// TestSessionsAreBounded begins a session more than are kept: the oldest ends.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	s := sessions{now: func() time.Time { now = now.Add(time.Second); return now }}
	var ids []string
	for i := range maxSessions + 1 {
		ids = append(ids, s.begin(identity.Key{ID: fmt.Sprint(i)}))
	}
	if has(&s, ids[0]) || !has(&s, ids[1]) || !has(&s, ids[maxSessions]) || len(s.all) != maxSessions {
		t.Errorf("%d sessions", len(s.all))
	}
}

func has(s *sessions, id string) bool {
	_, ok := s.find(id)
	return ok
}
