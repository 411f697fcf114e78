package telemetry

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
	"github.com/tabletop-db/tabletop/backend/tables"
)

// TestStoredForm stores an item of each kind with all possible attributes and with the fewest possible, and changes
// some.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	client, ctx := dynamodb.NewFromConfig(dbtest.Config(t)), t.Context()
	s := &store{client: client, prefix: "stored-"}
	if err := tables.Create(ctx, client, Schema(s.prefix).Tables); err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	const at, later = Timestamp("2026-02-03T10:30:00Z"), Timestamp("2026-02-04T10:30:00Z")
	device := Device{HardwareID: "full", ConfirmationID: "c1", FirmwareVersion: "1.0", LastSeenAt: at, LastBootID: "b1"}
	device.Capabilities = Capabilities{Sensors: []SensorName{"bme280", "ds18b20"}, Features: Features{"wifi": true,
		"lora": false}}
	_, err := s.registerDevice(ctx, device)
	check(err)
	_, _, err = s.nameDevice(ctx, "full", "greenhouse")
	check(err)
	check(s.recordActivity(ctx, "full", later, at))
	_, err = s.registerDevice(ctx, Device{HardwareID: "bare", ConfirmationID: "c2", FirmwareVersion: "1.0", LastSeenAt: at,
		LastBootID: "b1"})
	check(err)

	marked := marker{ReceivedAt: at, ExpiresAt: 1711843800}
	_, err = s.ingest(ctx, "token-1", &Reading{
		HardwareID: "full", TimestampMS: 1704067800000, BatchID: "m1", BootID: "b1", FirmwareVersion: "1.0",
		FriendlyName: "greenhouse",
		Sensors:      Values{"t": "21.50", "p": "-1e3", "zero": "0"}, SensorStatus: map[string]string{"bme280": "ok",
			"x": ""}, ExpirationTime: 1711843800,
	}, marked)
	check(err)
	_, err = s.ingest(ctx, "token-2", &Reading{HardwareID: "bare", BatchID: "m2", Sensors: Values{},
		SensorStatus: map[string]string{}}, marked)
	check(err)

	for _, k := range []keyRecord{
		{APIKey: APIKey{KeyID: "k1", Description: "cluster", CreatedAt: at}, Hash: "h1"},
		{APIKey: APIKey{KeyID: "k2", CreatedAt: at}, Hash: "h2"},
	} {
		check(s.createAPIKey(ctx, k))
	}
	check(s.recordKeyUse(ctx, "k1", later, at))
	_, _, err = s.revokeAPIKey(ctx, "k1")
	check(err)
	dbtest.CheckStoredForm(t, client, *s.table(tableDevices), *s.table(tableReadings), *s.table(tableProcessed),
		*s.table(tableAPIKeys))
}
