package webconsole

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

const (
	sessionLifetime = 12 * time.Hour // of the machine's clock
	maxSessions     = 100            // a further one ends the oldest
)

// session is the access key of a user who has signed in.
type session struct {
	key   identity.Key
	began time.Time
}

// sessions are the sessions by their ids. They are in memory and end with the emulator. It is safe for concurrent use.
type sessions struct {
	now func() time.Time // of the machine's clock

	mu  sync.Mutex
	all map[string]session
}

// begin starts a session and returns its id, which nobody can guess.
func (s *sessions) begin(key identity.Key) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]session{}
	}
	for len(s.all) >= maxSessions {
		delete(s.all, s.oldest())
	}
	id = rand.Text()
	s.all[id] = session{key, s.now()}
	return id
}

// oldest returns the id of the session that began first; there must be one.
func (s *sessions) oldest() (id string) {
	for next, one := range s.all {
		if id == "" || one.began.Before(s.all[id].began) {
			id = next
		}
	}
	return id
}

// find returns the access key of a session. ok is false if the session does not exist or has ended.
func (s *sessions) find(id string) (key identity.Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.all[id]
	if ok && s.now().Sub(one.began) >= sessionLifetime {
		delete(s.all, id)
		return identity.Key{}, false
	}
	return one.key, ok
}

// end ends a session, if it exists.
func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}
