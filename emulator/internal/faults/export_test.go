package faults

import "time"

// Length returns the length of a pause.
func Length(p pause) time.Duration { return p.wait }
