package engine

import "sync/atomic"

// ByARN is the state of an extension for an account whose resources have ARNs, such as streams or backups. Maps are
// replaced as a whole, so that readers take no lock.
type ByARN[T any] struct {
	all atomic.Pointer[map[string]*T]
}

// NewByARN returns a ByARN without resources.
func NewByARN[T any]() *ByARN[T] {
	r := new(ByARN[T])
	r.Replace(map[string]*T{})
	return r
}

// All returns the resources by ARN. The map is immutable.
func (r *ByARN[T]) All() map[string]*T { return *r.all.Load() }

// Replace replaces the resources. The map must not change afterwards.
func (r *ByARN[T]) Replace(all map[string]*T) { r.all.Store(&all) }

func (r *ByARN[T]) Empty() bool { return len(r.All()) == 0 }
