package wire

import "sync"

// interruptions are what is to be done before requests are sent, each once. They are safe for concurrent use.
type interruptions struct {
	mu  sync.Mutex
	all []interruption
}

type interruption struct {
	match func(CosmosCall) bool
	do    func() error
}

// take returns what is to be done before this request, and forgets it; nil: nothing is.
func (i *interruptions) take(c CosmosCall) func() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n, one := range i.all {
		if one.match(c) {
			i.all = append(i.all[:n:n], i.all[n+1:]...)
			return one.do
		}
	}
	return nil
}

// Before calls do before the next request that matches is sent, once. An error of do is what the client gets in place of an answer.
// It puts something between a read and the write that depends on it, so that a race has one outcome only.
func (r *CosmosRecorder) Before(match func(CosmosCall) bool, do func() error) {
	r.before.mu.Lock()
	defer r.before.mu.Unlock()
	r.before.all = append(r.before.all, interruption{match, do})
}

// Ahead is how many calls of Before still wait for their request.
func (r *CosmosRecorder) Ahead() int {
	r.before.mu.Lock()
	defer r.before.mu.Unlock()
	return len(r.before.all)
}
