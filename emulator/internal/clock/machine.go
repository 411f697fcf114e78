package clock

import "time"

// machine is the clock of the machine. Tests have one of their own.
type machine interface {
	// read returns what the wall clock shows, since 1970, and how long the machine has been awake since some moment of
	// its own: the first may jump, the second never does.
	read() (wall, elapsed time.Duration)
	// after runs fn in a goroutine of its own when the machine was awake for d more, unless stop is called before.
	after(d time.Duration, fn func()) (stop func())
}

// system is the clock of the machine that this runs on.
type system struct{ began time.Time }

func newSystem() *system { return &system{time.Now()} }

func (s *system) read() (wall, elapsed time.Duration) {
	now := time.Now()
	return time.Duration(now.UnixNano()), now.Sub(s.began)
}

func (s *system) after(d time.Duration, fn func()) (stop func()) {
	timer := time.AfterFunc(d, fn)
	return func() { timer.Stop() }
}
