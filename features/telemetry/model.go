package telemetry

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// device is a device of a scenario: what it reports about itself, and the service's last response to it.
type device struct {
	name       string
	hardwareID string
	bootID     string
	firmware   string
	sensors    []string
	record     deviceRecord
	sent       []reading
}

// deviceRecord, readingRecord and keyRecord are records in the service's responses.
type deviceRecord struct {
	HardwareID        string `json:"hardware_id"`
	ConfirmationID    string `json:"confirmation_id"`
	FriendlyName      string `json:"friendly_name"`
	FirmwareVersion   string `json:"firmware_version"`
	FirstRegisteredAt string `json:"first_registered_at"`
	LastSeenAt        string `json:"last_seen_at"`
	LastBootID        string `json:"last_boot_id"`
}

type readingRecord struct {
	TimestampMS  int64           `json:"timestamp_ms"`
	BatchID      string          `json:"batch_id"`
	Sensors      json.RawMessage `json:"sensors"`
	SensorStatus json.RawMessage `json:"sensor_status"`
}

type keyRecord struct {
	KeyID       string `json:"key_id"`
	Description string `json:"description"`
}

type apiKey struct{ id, raw string }

// reading is a reading as sent by a device. Its members may be wrong on purpose.
type reading map[string]any

func (r reading) batch() string { return r["batch_id"].(string) }

// device returns the scenario's device with this name, and creates it at its first mention.
func (w *world) device(name string) *device {
	d := w.devices[name]
	if d == nil {
		d = &device{
			name: name, hardwareID: hardwareID(len(w.devices) + 1), firmware: "1.0.16", sensors: []string{"bme280"},
		}
		w.devices[name] = d
		w.Set(name, d.hardwareID)
		w.boot(d)
	}
	w.current = d
	return d
}

func (w *world) boot(d *device) {
	d.bootID = uuid.NewString()
	w.Set("boot of "+d.name, d.bootID)
}

func hardwareID(n int) string {
	return fmt.Sprintf("02:00:00:%02X:%02X:%02X", n>>16&0xff, n>>8&0xff, n&0xff)
}

func (d *device) registration() map[string]any {
	return map[string]any{
		"hardware_id": d.hardwareID, "boot_id": d.bootID, "firmware_version": d.firmware,
		"capabilities": map[string]any{"sensors": d.sensors, "features": map[string]bool{"offline_buffering": true}},
	}
}

// reading returns a valid reading of the device. Its batch covers the five minutes before it.
func (d *device) reading(at time.Time) reading {
	ms := at.UnixMilli()
	return reading{
		"hardware_id": d.hardwareID, "boot_id": d.bootID, "firmware_version": d.firmware,
		"batch_id":      fmt.Sprintf("%s_%s_%d_%d", d.hardwareID, d.bootID, ms-5*60*1000, ms),
		"timestamp_ms":  ms,
		"sensors":       map[string]any{"bme280_temp_c": 22.5, "humidity_pct": 45.2},
		"sensor_status": map[string]string{"bme280": "ok"},
	}
}

func (w *world) hash(raw string) string {
	sum := sha256.Sum256([]byte(w.pepper + raw))
	return hex.EncodeToString(sum[:])
}
