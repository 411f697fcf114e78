package faults

import "time"

// Length returns the length of a pause.
func Length(p delay) time.Duration { return p.wait }
