package fleet

import (
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// Registration returns what the device reports on this boot.
func (p Plan) Registration(b *Boot) telemetryapi.Registration {
	return telemetryapi.Registration{
		HardwareID: p.HardwareID, BootID: b.ID, FirmwareVersion: b.Firmware,
		Capabilities: telemetryapi.Capabilities{
			Sensors:  p.Sensors,
			Features: map[string]bool{"offline_buffering": true, "tft_display": p.Number%4 == 0},
		},
	}
}

// Reading returns what the device measures at this event of a simulation that started at start. Its time and its batch
// id follow the device's own clock; its values are those of the true time.
func (p Plan) Reading(start time.Time, at time.Duration, b *Boot) telemetryapi.Reading {
	now := start.Add(at)
	end := now.Add(b.Skew).UnixMilli()
	r := telemetryapi.Reading{
		HardwareID: p.HardwareID, BatchID: p.batchID(end, b), BootID: b.ID, FirmwareVersion: b.Firmware, TimestampMS: end,
		Sensors: map[string]float64{}, SensorStatus: map[string]string{},
	}
	for _, s := range allSensors {
		if !p.has(s.name) {
			continue
		}
		if p.sensorFailed(s.name, at) {
			r.SensorStatus[s.name] = "error"
			continue
		}
		r.SensorStatus[s.name] = "ok"
		for name, v := range s.measure(weather{p.Seed, uint64(p.Number) + 1, now}) {
			r.Sensors[name] = v
		}
	}
	return r
}

// batchID returns the hardware id, boot id and time window of a reading, as the firmware formats them.
func (p Plan) batchID(end int64, b *Boot) string {
	return fmt.Sprintf("%s_%s_%d_%d", p.HardwareID, b.ID, end-p.Interval.Milliseconds(), end)
}

func (p Plan) has(sensor string) bool {
	for _, s := range p.Sensors {
		if s == sensor {
			return true
		}
	}
	return false
}

// sensorFailed reports whether the sensor is broken in the hour of this time.
func (p Plan) sensorFailed(sensor string, at time.Duration) bool {
	return sim.Float64(p.Seed, forFault, uint64(p.Number), uint64(sensor[0]),
		uint64(at/time.Hour)) < p.FailureRates.SensorFault
}
