package clock

import "time"

// Machine returns the machine's time, whatever this clock shows. Clients date their requests with it.
func (c *Clock) Machine() time.Time { return time.Now() }
