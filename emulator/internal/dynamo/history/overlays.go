package history

import (
	"slices"
	"sync"
	"time"
)

// maxOverlays is how many overlays are kept for later pages.
const maxOverlays = 4

// overlayLifetime is how long the overlays are kept after the last request, by the machine's clock.
const overlayLifetime = time.Minute

// overlays are the overlays that no request uses. It is safe for concurrent use.
type overlays struct {
	mu     sync.Mutex
	idle   []*overlay // the last used one is the last
	expiry *time.Timer
}

// take returns an overlay that covers a key, for one request alone. A new one covers all keys, unless one like it found
// too many.
func (s *overlays) take(of overlayKey, key string) *overlay {
	s.mu.Lock()
	defer s.mu.Unlock()
	lo := ""
	for i, o := range s.idle {
		if o.overlayKey != of {
			continue
		}
		if o.covers(key) {
			s.idle = slices.Delete(s.idle, i, i+1)
			return o
		}
		lo = key
	}
	return newOverlay(of, lo)
}

// put keeps an overlay for later requests, in place of others of the same.
func (s *overlays) put(o *overlay) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = slices.DeleteFunc(s.idle, func(other *overlay) bool { return other.overlayKey == o.overlayKey })
	if s.idle = append(s.idle, o); len(s.idle) > maxOverlays {
		s.idle = slices.Delete(s.idle, 0, 1)
	}
	if s.expiry == nil {
		s.expiry = time.AfterFunc(overlayLifetime, s.clear)
	} else {
		s.expiry.Reset(overlayLifetime)
	}
}

// clear drops all overlays.
func (s *overlays) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = nil
	if s.expiry != nil {
		s.expiry.Stop()
	}
}
