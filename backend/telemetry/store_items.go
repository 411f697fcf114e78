package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// How the types of model.go and items become each other. Written out, since a reading passes here 10,000 times a
// second at the extreme and reflection would be a good part of its cost.

func readingItem(r *Reading) item {
	sensors, status := make(item, len(r.Sensors)), make(item, len(r.SensorStatus))
	for name, value := range r.Sensors {
		sensors[name] = &types.AttributeValueMemberN{Value: string(value)}
	}
	for name, value := range r.SensorStatus {
		status[name] = str(value)
	}
	out := make(item, 10) // a literal of this size would grow once on the way
	out["hardware_id"], out["ts_batch"] = str(r.HardwareID), str(tsBatch(r.TimestampMS, r.BatchID))
	out["timestamp_ms"], out["expiration_time"] = number(r.TimestampMS), number(r.ExpirationTime)
	out["batch_id"], out["boot_id"], out["firmware_version"] = str(r.BatchID), str(r.BootID), str(r.FirmwareVersion)
	out["sensors"], out["sensor_status"] = object(sensors), object(status)
	if r.FriendlyName != "" {
		out["friendly_name"] = str(r.FriendlyName)
	}
	return out
}

func readingOf(in item) Reading {
	r := Reading{
		HardwareID: text(in["hardware_id"]), TimestampMS: integer(in["timestamp_ms"]), BatchID: text(in["batch_id"]),
		BootID: text(in["boot_id"]), FirmwareVersion: text(in["firmware_version"]),
		FriendlyName: text(in["friendly_name"]), ExpirationTime: integer(in["expiration_time"]),
		Sensors: map[string]json.Number{}, SensorStatus: map[string]string{},
	}
	for name, value := range members(in["sensors"]) {
		r.Sensors[name] = json.Number(text(value))
	}
	for name, value := range members(in["sensor_status"]) {
		r.SensorStatus[name] = text(value)
	}
	return r
}

func markerItem(r *Reading, m marker) item {
	return item{
		"batch_id": str(r.BatchID), "hardware_id": str(r.HardwareID), "received_at": str(m.receivedAt),
		"expiration_time": number(m.expiresAt),
	}
}

func deviceOf(in item) Device {
	d := Device{
		HardwareID: HardwareID(text(in["hardware_id"])), ConfirmationID: UUID(text(in["confirmation_id"])),
		FriendlyName: text(in["friendly_name"]), FirmwareVersion: Firmware(text(in["firmware_version"])),
		FirstRegisteredAt: Timestamp(text(in["first_registered_at"])), LastSeenAt: Timestamp(text(in["last_seen_at"])),
		LastBootID:   UUID(text(in["last_boot_id"])),
		Capabilities: Capabilities{Sensors: []SensorName{}, Features: map[string]bool{}},
	}
	capabilities := members(in["capabilities"])
	if list, ok := capabilities["sensors"].(*types.AttributeValueMemberL); ok {
		for _, name := range list.Value {
			d.Capabilities.Sensors = append(d.Capabilities.Sensors, SensorName(text(name)))
		}
	}
	for name, value := range members(capabilities["features"]) {
		d.Capabilities.Features[name] = boolean(value)
	}
	return d
}

func capabilitiesValue(c Capabilities) types.AttributeValue {
	sensors := make([]types.AttributeValue, 0, len(c.Sensors))
	for _, name := range c.Sensors {
		sensors = append(sensors, str(name))
	}
	features := make(item, len(c.Features))
	for name, on := range c.Features {
		features[name] = &types.AttributeValueMemberBOOL{Value: on}
	}
	return object(item{"sensors": &types.AttributeValueMemberL{Value: sensors}, "features": object(features)})
}

func apiKeyOf(in item) APIKey {
	return APIKey{
		KeyID: UUID(text(in["key_id"])), Description: text(in["description"]), CreatedAt: Timestamp(text(in["created_at"])),
		LastUsedAt: Timestamp(text(in["last_used_at"])), IsActive: boolean(in["is_active"]),
	}
}

func collect[T any](items []item, of func(item) T) []T {
	out := make([]T, 0, len(items))
	for _, i := range items {
		out = append(out, of(i))
	}
	return out
}

func str[T ~string](s T) types.AttributeValue  { return &types.AttributeValueMemberS{Value: string(s)} }
func object(members item) types.AttributeValue { return &types.AttributeValueMemberM{Value: members} }
func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// text is the text of a string or a number, and empty for anything else.
func text(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func integer(v types.AttributeValue) int64 {
	n, _ := strconv.ParseInt(text(v), 10, 64) // the service has written nothing but integers here
	return n
}

func boolean(v types.AttributeValue) bool {
	b, ok := v.(*types.AttributeValueMemberBOOL)
	return ok && b.Value
}

func members(v types.AttributeValue) item {
	if m, ok := v.(*types.AttributeValueMemberM); ok {
		return m.Value
	}
	return nil
}

// failure sorts an error of the SDK: missing tables and a database that is away or too busy have a remedy; a request
// that the database calls wrong is ours to mend and stays as it is.
func failure(err error) error {
	var missing *types.ResourceNotFoundException
	var answered smithy.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return fmt.Errorf("%w (%w)", errNoTables, err)
	case !errors.As(err, &answered):
		return fmt.Errorf("%w (%w)", errNoDatabase, err)
	}
	switch answered.ErrorCode() {
	case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
		"TransactionInProgressException", "TransactionConflictException", "InternalServerError", "InternalFailure", "ServiceUnavailable":
		return fmt.Errorf("%w (%w)", errBusy, err)
	}
	return err
}
