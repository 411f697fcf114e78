package kms

import "encoding/json"

// operation handles a request's body. A nil response is an empty one.
type operation func(c *call, body []byte) (any, error)

// request is an input of any operation. Its check validates it without looking at keys.
type request[I any] interface {
	*I
	check(v *violations)
}

// read runs an operation that changes nothing, with the keys locked for reading. write runs one that may change keys,
// and then notifies the watchers.
func (s *Service) read(c *call, run func() (any, error)) (any, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c.account = s.account(c.space)
	return run()
}

func (s *Service) write(c *call, run func() (any, error)) (any, error) {
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	c.account = s.account(c.space)
	return run()
}

func reads[I any, P request[I]](run func(c *call, in *I) (any, error)) operation {
	return define[I, P]((*Service).read, run)
}

func writes[I any, P request[I]](run func(c *call, in *I) (any, error)) operation {
	return define[I, P]((*Service).write, run)
}

func define[I any, P request[I]](lock func(*Service, *call, func() (any, error)) (any, error),
	run func(c *call, in *I) (any, error)) operation {
	return func(c *call, body []byte) (any, error) {
		in := new(I)
		if err := json.Unmarshal(body, in); err != nil {
			return nil, kmsError("SerializationException", "")
		}
		var v violations
		P(in).check(&v)
		if err := v.err(); err != nil {
			return nil, err
		}
		return lock(c.service, c, func() (any, error) { return run(c, in) })
	}
}

// keyInput is the input of operations that need only a key.
type keyInput struct{ KeyId *string }

func (in *keyInput) check(v *violations) { v.id("keyId", in.KeyId) }

// change replaces a key, which must not be pending deletion, with a copy that fn has changed.
func (c *call) change(ref *string, fn func(k *key) error) (any, error) {
	k, err := c.find(*ref)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	if err := c.checkNotPendingDeletion(k); err != nil {
		return nil, err
	}
	next := k.clone()
	if err := fn(next); err != nil {
		return nil, err
	}
	return nil, c.saveKey(next)
}

// page returns at most limit members of a list after the marker.
func page[T any](all []T, name func(T) string, limit *int, usual int, marker *string) (some []T, next *string) {
	if marker != nil {
		for len(all) > 0 && name(all[0]) <= *marker {
			all = all[1:]
		}
	}
	n := usual
	if limit != nil {
		n = *limit
	}
	if len(all) <= n {
		return all, nil
	}
	last := name(all[n-1])
	return all[:n], &last
}

// pageInput is the input of operations that list.
type pageInput struct {
	Limit  *int
	Marker *string
}

func (in *pageInput) checkPage(v *violations, most int) {
	v.between("limit", in.Limit, 1, most)
	v.optional("marker", in.Marker, 1, 1024)
}

// pageOutput is the part of a response that reports whether there is more.
type pageOutput struct {
	NextMarker *string `json:",omitempty"`
	Truncated  bool
}

func pageEnd(next *string) pageOutput { return pageOutput{next, next != nil} }

// checkDryRun refuses a request with DryRun that would have succeeded.
func checkDryRun(requested *bool) error {
	if requested != nil && *requested {
		return kmsError("DryRunOperationException", "The request would have succeeded, but the DryRun option is set.")
	}
	return nil
}

func orZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}
