package wire

import "sync"

// interruptions are what is to be done before requests are sent, each once. They are safe for concurrent use.
type interruptions[R any] struct {
	mu  sync.Mutex
	all []interruption[R]
}

type interruption[R any] struct {
	match func(R) bool
	do    func() error
}

func (i *interruptions[R]) add(match func(R) bool, do func() error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = append(i.all, interruption[R]{match, do})
}

// left is how many have not met their request yet.
func (i *interruptions[R]) left() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return len(i.all)
}

// run does what is to be done before this request, and forgets it before that: what it asks for itself is not
// interrupted by it.
func (i *interruptions[R]) run(r R) error {
	if do := i.take(r); do != nil {
		return do()
	}
	return nil
}

func (i *interruptions[R]) take(r R) func() error {
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

// Before calls do before the next request that matches is sent, once. An error of do is what the client gets in place
// of an answer. It puts something between a read and the write that depends on it, so that a race has one outcome only.
func (r *Recorder) Before(match func(Call) bool, do func() error) { r.before.add(match, do) }

// Ahead is how many calls of Before still wait for their request.
func (r *Recorder) Ahead() int { return r.before.left() }

// Before is that of [Recorder], for requests to Cosmos DB.
func (r *CosmosRecorder) Before(match func(CosmosCall) bool, do func() error) {
	r.before.add(match, do)
}

// Ahead is how many calls of Before still wait for their request.
func (r *CosmosRecorder) Ahead() int { return r.before.left() }
