package pointintime

import (
	"slices"
	"sync"
	"time"
)

// maxViews is how many Views are kept for later pages.
const maxViews = 4

// viewLifetime is how long they are kept after the last request, by the machine's clock.
const viewLifetime = time.Minute

// Views are the Views that no request uses. It is safe for concurrent use.
type Views struct {
	mu     sync.Mutex
	idle   []*View // the last used one is the last
	expiry *time.Timer
}

// Take returns a View that covers a key, for one request alone. A new one of a table covers all keys, unless one like
// it found too many; one of an index begins at the key. x is nil for a table.
func (s *Views) Take(of Source, key []byte, x *Index) *View {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo := ""
	if x != nil {
		lo = string(key)
	}
	for i, v := range s.idle {
		if v.Source != of {
			continue
		}
		if v.Covers(key) {
			s.idle = slices.Delete(s.idle, i, i+1)
			return v
		}
		lo = string(key)
	}
	return newView(of, x, lo)
}

// Put keeps a View for later requests, in place of others of the same.
func (s *Views) Put(v *View) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = slices.DeleteFunc(s.idle, func(other *View) bool { return other.Source == v.Source })
	if s.idle = append(s.idle, v); len(s.idle) > maxViews {
		s.idle = slices.Delete(s.idle, 0, 1)
	}
	if s.expiry == nil {
		s.expiry = time.AfterFunc(viewLifetime, s.Clear)
	} else {
		s.expiry.Reset(viewLifetime)
	}
}

// Clear drops all Views.
func (s *Views) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = nil
	if s.expiry != nil {
		s.expiry.Stop()
	}
}
