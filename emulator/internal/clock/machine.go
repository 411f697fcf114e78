package clock

import "time"

// timeSource is the machine's clock, which tests replace.
type timeSource interface {
	// read returns the wall clock, since 1970, and a monotonic clock of the time that the machine has been awake. Only
	// the first may jump.
	read() (wall, elapsed time.Duration)
	// after runs fn in a goroutine of its own when the monotonic clock has moved by d, unless stop is called before.
	after(d time.Duration, fn func()) (stop func())
}

// system is the clock of the machine.
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
