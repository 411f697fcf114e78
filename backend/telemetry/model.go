package telemetry

import (
	"encoding/json"
	"time"
)

// Device is a registered device as the API shows it.
type Device struct {
	HardwareID        HardwareID   `json:"hardware_id" dynamodbav:"hardware_id"`
	ConfirmationID    UUID         `json:"confirmation_id" dynamodbav:"confirmation_id" doc:"Assigned at the first registration; never changes"`
	FriendlyName      string       `json:"friendly_name,omitempty" dynamodbav:"friendly_name,omitempty" doc:"Set by PUT …/name" example:"greenhouse-sensor-01"`
	FirmwareVersion   Firmware     `json:"firmware_version" dynamodbav:"firmware_version"`
	Capabilities      Capabilities `json:"capabilities" dynamodbav:"capabilities"`
	FirstRegisteredAt Timestamp    `json:"first_registered_at" dynamodbav:"first_registered_at"`
	LastSeenAt        Timestamp    `json:"last_seen_at" dynamodbav:"last_seen_at" doc:"Time of the latest registration or delivery, accurate to five minutes"`
	LastBootID        UUID         `json:"last_boot_id" dynamodbav:"last_boot_id"`
}

// Capabilities are the sensors and features of a device.
type Capabilities struct {
	Sensors  []SensorName `json:"sensors" dynamodbav:"sensors" required:"false" maxItems:"64" nullable:"false" doc:"Names of the installed sensors"`
	Features Features     `json:"features" dynamodbav:"features" required:"false"`
}

// Reading is one stored reading.
type Reading struct {
	HardwareID      string            `json:"hardware_id" dynamodbav:"hardware_id" example:"AA:BB:CC:DD:EE:FF"`
	TimestampMS     int64             `json:"timestamp_ms" dynamodbav:"timestamp_ms" doc:"Epoch milliseconds" example:"1704067800000"`
	BatchID         string            `json:"batch_id" dynamodbav:"batch_id" example:"AA:BB:CC:DD:EE:FF_7c9e6679-7425-40de-944b-e07fc1f90ae7_1704067200000_1704067800000"`
	BootID          string            `json:"boot_id" dynamodbav:"boot_id" example:"7c9e6679-7425-40de-944b-e07fc1f90ae7"`
	FirmwareVersion string            `json:"firmware_version" dynamodbav:"firmware_version" example:"1.0.16"`
	FriendlyName    string            `json:"friendly_name,omitempty" dynamodbav:"friendly_name,omitempty" doc:"The device's name when the reading was ingested" example:"greenhouse-sensor-01"`
	Sensors         Values            `json:"sensors" dynamodbav:"sensors"`
	SensorStatus    map[string]string `json:"sensor_status" dynamodbav:"sensor_status" doc:"ok or error, by sensor" example:"{\"bme280\":\"ok\"}"`
	ExpirationTime  int64             `json:"expiration_time,omitempty" dynamodbav:"expiration_time" doc:"Epoch seconds after which the reading is removed" example:"1711843800"`
}

// APIKey is the public record of an API key, without the key and its hash.
type APIKey struct {
	KeyID       UUID      `json:"key_id" dynamodbav:"key_id"`
	Description string    `json:"description,omitempty" dynamodbav:"description,omitempty" example:"greenhouse cluster"`
	CreatedAt   Timestamp `json:"created_at" dynamodbav:"created_at"`
	LastUsedAt  Timestamp `json:"last_used_at,omitempty" dynamodbav:"last_used_at,omitempty" doc:"Accurate to five minutes"`
	IsActive    bool      `json:"is_active" dynamodbav:"is_active" doc:"False once the key is revoked"`
}

// Types of the API that have a format. Each declares its schema in the OpenAPI document.
type (
	// HardwareID is a MAC address in upper case (TL-R1).
	HardwareID string
	// UUID is a version 4 UUID of the RFC 4122 variant (TL-R2).
	UUID string
	// Firmware is a firmware version: 1 to 64 printable ASCII characters.
	Firmware string
	// Timestamp is RFC 3339 in UTC with Z and whole seconds, so that text order is time order (TL-R5).
	Timestamp string
	// Values are sensor values by name, exactly as sent.
	Values map[string]json.Number
	// Features says for each feature, by name, whether a device has it.
	Features map[SensorName]bool
	// SensorName names a sensor, a sensor's field or a feature, known or future.
	SensorName string
)

const (
	patternHardwareID = `^[0-9A-F]{2}(:[0-9A-F]{2}){5}$`
	patternUUID       = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$`
	patternFirmware   = `^[ -~]{1,64}$`
	// At most 256 safe ASCII characters (TL-R4). The document's character set of letters, digits, _ and - lacks the
	// colon that every batch_id in its examples has; so a colon is allowed (TL-D1).
	patternBatchID    = `^[A-Za-z0-9_:-]{1,256}$`
	patternSensorName = `^[a-z][a-z0-9_]{0,63}$`
	patternTimestamp  = `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`

	timestampLayout = "2006-01-02T15:04:05Z"

	minTimestampMS = 946_684_800_000   // 2000-01-01T00:00:00Z (TL-R3)
	maxTimestampMS = 4_102_444_800_000 // 2100-01-01T00:00:00Z

	maxReadings = 100 // per request (TL-R13)
	maxFeatures = 64  // per device
	maxSensors  = 64  // per reading: an item stays far below DynamoDB's 400 KB
)

func timestamp(t time.Time) Timestamp { return Timestamp(t.UTC().Format(timestampLayout)) }
