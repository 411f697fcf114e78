package telemetry

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// How the types of model.go and items become each other. Written out, since a reading passes here 10,000 times a
// second at the extreme and reflection would be a good part of its cost.

func readingItem(r *Reading) ddb.Item {
	sensors, status := make(ddb.Item, len(r.Sensors)), make(ddb.Item, len(r.SensorStatus))
	for name, value := range r.Sensors {
		sensors[name] = ddb.Decimal(value)
	}
	for name, value := range r.SensorStatus {
		status[name] = ddb.Str(value)
	}
	out := make(ddb.Item, 10) // a literal of this size would grow once on the way
	out["hardware_id"], out["ts_batch"] = ddb.Str(r.HardwareID), ddb.Str(tsBatch(r.TimestampMS, r.BatchID))
	out["timestamp_ms"], out["expiration_time"] = ddb.Number(r.TimestampMS), ddb.Number(r.ExpirationTime)
	out["batch_id"], out["boot_id"], out["firmware_version"] = ddb.Str(r.BatchID), ddb.Str(r.BootID), ddb.Str(r.FirmwareVersion)
	out["sensors"], out["sensor_status"] = ddb.Object(sensors), ddb.Object(status)
	if r.FriendlyName != "" {
		out["friendly_name"] = ddb.Str(r.FriendlyName)
	}
	return out
}

func readingOf(in ddb.Item) Reading {
	r := Reading{
		HardwareID: ddb.Text(in["hardware_id"]), TimestampMS: ddb.Integer(in["timestamp_ms"]), BatchID: ddb.Text(in["batch_id"]),
		BootID: ddb.Text(in["boot_id"]), FirmwareVersion: ddb.Text(in["firmware_version"]),
		FriendlyName: ddb.Text(in["friendly_name"]), ExpirationTime: ddb.Integer(in["expiration_time"]),
		Sensors: map[string]json.Number{}, SensorStatus: map[string]string{},
	}
	for name, value := range ddb.Members(in["sensors"]) {
		r.Sensors[name] = json.Number(ddb.Text(value))
	}
	for name, value := range ddb.Members(in["sensor_status"]) {
		r.SensorStatus[name] = ddb.Text(value)
	}
	return r
}

func markerItem(r *Reading, m marker) ddb.Item {
	return ddb.Item{
		"batch_id": ddb.Str(r.BatchID), "hardware_id": ddb.Str(r.HardwareID), "received_at": ddb.Str(m.receivedAt),
		"expiration_time": ddb.Number(m.expiresAt),
	}
}

func deviceOf(in ddb.Item) Device {
	d := Device{
		HardwareID: HardwareID(ddb.Text(in["hardware_id"])), ConfirmationID: UUID(ddb.Text(in["confirmation_id"])),
		FriendlyName: ddb.Text(in["friendly_name"]), FirmwareVersion: Firmware(ddb.Text(in["firmware_version"])),
		FirstRegisteredAt: Timestamp(ddb.Text(in["first_registered_at"])), LastSeenAt: Timestamp(ddb.Text(in["last_seen_at"])),
		LastBootID:   UUID(ddb.Text(in["last_boot_id"])),
		Capabilities: Capabilities{Features: Features{}},
	}
	capabilities := ddb.Members(in["capabilities"])
	d.Capabilities.Sensors = ddb.Texts[SensorName](capabilities["sensors"])
	for name, value := range ddb.Members(capabilities["features"]) {
		d.Capabilities.Features[SensorName(name)] = ddb.Boolean(value)
	}
	return d
}

func capabilitiesValue(c Capabilities) types.AttributeValue {
	features := make(ddb.Item, len(c.Features))
	for name, on := range c.Features {
		features[string(name)] = ddb.Bool(on)
	}
	return ddb.Object(ddb.Item{"sensors": ddb.List(c.Sensors), "features": ddb.Object(features)})
}

func apiKeyOf(in ddb.Item) APIKey {
	return APIKey{
		KeyID: UUID(ddb.Text(in["key_id"])), Description: ddb.Text(in["description"]), CreatedAt: Timestamp(ddb.Text(in["created_at"])),
		LastUsedAt: Timestamp(ddb.Text(in["last_used_at"])), IsActive: ddb.Boolean(in["is_active"]),
	}
}
