package telemetryapi

// Capabilities are the sensors and features of a device.
type Capabilities struct {
	Sensors  []string        `json:"sensors"`
	Features map[string]bool `json:"features"`
}

// Registration is a device's report when it boots.
type Registration struct {
	HardwareID      string       `json:"hardware_id"`
	BootID          string       `json:"boot_id"`
	FirmwareVersion string       `json:"firmware_version"`
	Capabilities    Capabilities `json:"capabilities"`
}

// Device is the backend's record of a device; its times are RFC 3339 in UTC.
type Device struct {
	HardwareID        string       `json:"hardware_id"`
	ConfirmationID    string       `json:"confirmation_id"`
	FriendlyName      string       `json:"friendly_name,omitempty"`
	FirmwareVersion   string       `json:"firmware_version"`
	Capabilities      Capabilities `json:"capabilities"`
	FirstRegisteredAt string       `json:"first_registered_at"`
	LastSeenAt        string       `json:"last_seen_at"`
	LastBootID        string       `json:"last_boot_id"`
}

// Reading is the measurements of a device in one interval. TimestampMS is in epoch milliseconds of the device's own
// clock.
type Reading struct {
	HardwareID      string             `json:"hardware_id"`
	BatchID         string             `json:"batch_id"`
	BootID          string             `json:"boot_id"`
	FirmwareVersion string             `json:"firmware_version"`
	TimestampMS     int64              `json:"timestamp_ms"`
	Sensors         map[string]float64 `json:"sensors"`
	SensorStatus    map[string]string  `json:"sensor_status"`
}

// The outcomes of a reading.
const (
	Stored    = "stored"
	Duplicate = "duplicate"
	Rejected  = "rejected"
)

// Outcome is the outcome of one reading; Reason is set if it was rejected.
type Outcome struct {
	BatchID string `json:"batch_id"`
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
}

// Ack is the response to a request with readings, in the order of the request.
type Ack struct {
	Results   []Outcome `json:"results"`
	Stored    int       `json:"stored"`
	Duplicate int       `json:"duplicate"`
	Rejected  int       `json:"rejected"`
}

// Page is one page of readings; an empty NextCursor ends the range.
type Page struct {
	Readings   []Reading `json:"readings"`
	NextCursor string    `json:"next_cursor,omitempty"`
}

// Key is an API key just created; APIKey is the raw key, which the backend shows only once.
type Key struct {
	KeyID  string `json:"key_id"`
	APIKey string `json:"api_key"`
}

// HotDevice is one of the devices with the most writes in the last minute.
type HotDevice struct {
	HardwareID string `json:"hardware_id"`
	Writes     int    `json:"writes"`
	Hot        bool   `json:"hot"` // more than one write per second for most of the minute
}
