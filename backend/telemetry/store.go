package telemetry

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// store accesses DynamoDB: one method per pattern of doc.go. Only store.go and store_*.go use the SDK. Methods return
// false for a missing item or a condition that does not hold; errors are the database's.
type store struct {
	client *dynamodb.Client
	prefix string
}

func (s *store) table(name string) *string { return aws.String(s.prefix + name) }

// registerDevice is TL-P1, whose description in the document is cut off (TL-D6): one UpdateItem creates or renews the
// device. Attributes that are assigned once are set by if_not_exists, so that concurrent registrations agree on them.
func (s *store) registerDevice(ctx context.Context, d Device) (Device, error) {
	confirmation, firstRegistered := expression.Name("confirmation_id"), expression.Name("first_registered_at")
	in := ddb.Update(s.table(tableDevices), ddb.Item{"hardware_id": ddb.Str(d.HardwareID)},
		expression.Set(confirmation, confirmation.IfNotExists(expression.Value(d.ConfirmationID))).
			Set(firstRegistered, firstRegistered.IfNotExists(expression.Value(d.LastSeenAt))).
			Set(expression.Name("last_seen_at"), expression.Value(d.LastSeenAt)).
			Set(expression.Name("last_boot_id"), expression.Value(d.LastBootID)).
			Set(expression.Name("firmware_version"), expression.Value(d.FirmwareVersion)).
			Set(expression.Name("capabilities"), expression.Value(d.Capabilities.nonNil())).
			Set(expression.Name("gsi1pk"), expression.Value(partitionDevices)).
			Set(expression.Name("gsi1sk"), expression.Value(d.LastSeenAt)))
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if err != nil {
		return Device{}, ddb.MapError(err)
	}
	return deviceOf(out.Attributes), nil
}

// listDevices is TL-P2.
func (s *store) listDevices(ctx context.Context, limit int, after ddb.Key) ([]Device, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table(tableDevices), IndexName: aws.String(indexListing), ScanIndexForward: aws.Bool(false),
	}, expression.Key("gsi1pk").Equal(expression.Value(partitionDevices))), limit, after)
	return ddb.DecodeAll(items, deviceOf), last, err
}

// device is TL-P3.
func (s *store) device(ctx context.Context, id HardwareID) (Device, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table(tableDevices), Key: ddb.Item{"hardware_id": ddb.Str(id)}, ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return Device{}, false, ddb.MapError(err)
	}
	return deviceOf(out.Item), true, nil
}

// nameDevice is TL-P4; it returns false when no such device is registered.
func (s *store) nameDevice(ctx context.Context, id HardwareID, name string) (Device, bool, error) {
	named, ok, err := s.updateExisting(ctx, ddb.Update(s.table(tableDevices), ddb.Item{"hardware_id": ddb.Str(id)},
		expression.Set(expression.Name("friendly_name"), expression.Value(name)),
		expression.Name("hardware_id").AttributeExists()))
	if !ok {
		return Device{}, false, err
	}
	return deviceOf(named), true, nil
}

// updateExisting runs an update whose condition is that the item exists, and returns the item after it; false when the
// item does not exist.
func (s *store) updateExisting(ctx context.Context, in *dynamodb.UpdateItemInput) (ddb.Item, bool, error) {
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if ddb.ConditionFailed(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, ddb.MapError(err)
	}
	return out.Attributes, true, nil
}

// latestReading is TL-P5.
func (s *store) latestReading(ctx context.Context, id HardwareID) (Reading, bool, error) {
	items, _, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table(tableReadings), ScanIndexForward: aws.Bool(false),
	}, expression.Key("hardware_id").Equal(expression.Value(id))), 1, nil)
	if err != nil || len(items) == 0 {
		return Reading{}, false, err
	}
	return readingOf(items[0]), true, nil
}

// readingsBetween is TL-P6; from and to are bounds of the sort key.
func (s *store) readingsBetween(ctx context.Context, id HardwareID, from, to string, ascending bool, limit int,
	after ddb.Key) ([]Reading, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, ddb.Where(&dynamodb.QueryInput{
		TableName: s.table(tableReadings), ScanIndexForward: aws.Bool(ascending),
	}, expression.Key("hardware_id").Equal(expression.Value(id)).
		And(expression.Key("ts_batch").Between(expression.Value(from), expression.Value(to)))), limit, after)
	return ddb.DecodeAll(items, readingOf), last, err
}

// reachable reads a device that cannot exist: for one read unit it checks that the database and its tables respond.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.device(ctx, "healthz")
	return err
}
