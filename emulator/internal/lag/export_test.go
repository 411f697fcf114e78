package lag

// Held is how many bytes the overlay holds.
func Held(o *Overlay) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.held
}

// Delay is what a share of all writes takes at most.
func Delay(k Kind, share float64) int64 { return int64(k.delay(share)) }
