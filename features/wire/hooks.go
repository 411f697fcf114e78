package wire

import "sync"

// hooks are functions to call before certain requests are sent, each once. They are safe for concurrent use.
type hooks[R any] struct {
	mu  sync.Mutex
	all []hook[R]
}

type hook[R any] struct {
	match func(R) bool
	do    func() error
}

func (i *hooks[R]) add(match func(R) bool, do func() error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = append(i.all, hook[R]{match, do})
}

// left returns how many have not been called yet.
func (i *hooks[R]) left() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.all)
}

// run calls the function for this request. It removes the function first, so that the function's own requests are not
// interrupted by it.
func (i *hooks[R]) run(r R) error {
	if do := i.take(r); do != nil {
		return do()
	}
	return nil
}

func (i *hooks[R]) take(r R) func() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n, one := range i.all {
		if one.match(r) {
			i.all = append(i.all[:n:n], i.all[n+1:]...)
			return one.do
		}
	}
	return nil
}

// Before calls do before the next request that matches is sent, once. If do returns an error, the client receives it
// instead of a response. Use it to change something between a read and the write that depends on it, so that a race has
// a deterministic outcome.
func (r *Recorder) Before(match func(Call) bool, do func() error) { r.hooks.add(match, do) }

// PendingHooks returns the number of functions passed to Before that have not been called yet.
func (r *Recorder) PendingHooks() int { return r.hooks.left() }

// Before is like [Recorder.Before], for requests to Cosmos DB.
func (r *CosmosRecorder) Before(match func(CosmosCall) bool, do func() error) {
	r.hooks.add(match, do)
}

// PendingHooks returns the number of functions passed to Before that have not been called yet.
func (r *CosmosRecorder) PendingHooks() int { return r.hooks.left() }
