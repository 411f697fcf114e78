package lag

// Held returns how many bytes the overlay holds.
func Held(o *Overlay) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.imageBytes
}

// Delay returns the delay at a quantile.
func Delay(k Kind, share float64) int64 { return int64(k.delay(share)) }
