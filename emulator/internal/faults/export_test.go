package faults

import "time"

// Length is how long a pause is.
func Length(p pause) time.Duration { return p.wait }
