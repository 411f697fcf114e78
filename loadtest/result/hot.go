package result

import (
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// HotDeviceRule defines when a device writes too much: "If a single device exceeds 1 write/second sustained, consider
// sharding strategy." Sustained means over the window, with writes in at least Busy of its tenths, so that a device
// that delivers a full buffer at once does not count.
type HotDeviceRule struct {
	WritesPerSecond float64          `json:"writes_per_second"`
	Window          profile.Duration `json:"window"`
	Busy            int              `json:"busy_tenths"`
}

// HotDevice is a device that broke the rule, with the window in which it wrote most.
type HotDevice struct {
	HardwareID      string  `json:"hardware_id"`
	WritesPerSecond float64 `json:"writes_per_second"`
	Shards          int     `json:"shards"` // number of shards that bring it under the rule
	Advice          string  `json:"advice"`
}
