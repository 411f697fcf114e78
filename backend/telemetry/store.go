package telemetry

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// store speaks to DynamoDB: one method a pattern of doc.go. It and its files store_*.go are the only place that
// knows the SDK. A missing item is false, or a condition that did not hold; an error is the database's.
type store struct {
	client *dynamodb.Client
	prefix string
}

type item = map[string]types.AttributeValue

func (s *store) table(name string) *string { return aws.String(s.prefix + name) }

// registerDevice is TL-P1, which the document cuts off (TL-D6): one UpdateItem creates or renews the device. What
// is assigned once is set by if_not_exists, so that two registrations at once agree on it.
func (s *store) registerDevice(ctx context.Context, d Device) (Device, error) {
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableDevices), Key: item{"hardware_id": str(d.HardwareID)},
		UpdateExpression: aws.String("SET confirmation_id = if_not_exists(confirmation_id, :confirmation)," +
			" first_registered_at = if_not_exists(first_registered_at, :now)," +
			" last_seen_at = :now, last_boot_id = :boot, firmware_version = :firmware," +
			" capabilities = :capabilities, gsi1pk = :devices, gsi1sk = :now"),
		ExpressionAttributeValues: item{
			":confirmation": str(d.ConfirmationID), ":now": str(d.LastSeenAt), ":boot": str(d.LastBootID),
			":firmware": str(d.FirmwareVersion), ":capabilities": capabilitiesValue(d.Capabilities),
			":devices": str(partitionDevices),
		},
		ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil {
		return Device{}, failure(err)
	}
	return deviceOf(out.Attributes), nil
}

// listDevices is TL-P2.
func (s *store) listDevices(ctx context.Context, limit int, after key) ([]Device, key, error) {
	items, last, err := s.query(ctx, &dynamodb.QueryInput{
		TableName: s.table(tableDevices), IndexName: aws.String(indexListing),
		KeyConditionExpression:    aws.String("gsi1pk = :devices"),
		ExpressionAttributeValues: item{":devices": str(partitionDevices)},
		ScanIndexForward:          aws.Bool(false),
	}, limit, after)
	return collect(items, deviceOf), last, err
}

// device is TL-P3.
func (s *store) device(ctx context.Context, id HardwareID) (Device, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: s.table(tableDevices), Key: item{"hardware_id": str(id)}, ConsistentRead: aws.Bool(true),
	})
	if err != nil || out.Item == nil {
		return Device{}, false, failure(err)
	}
	return deviceOf(out.Item), true, nil
}

// nameDevice is TL-P4; false when no such device is registered.
func (s *store) nameDevice(ctx context.Context, id HardwareID, name string) (Device, bool, error) {
	named, ok, err := s.updateExisting(ctx, &dynamodb.UpdateItemInput{
		TableName: s.table(tableDevices), Key: item{"hardware_id": str(id)},
		UpdateExpression:          aws.String("SET friendly_name = :name"),
		ConditionExpression:       aws.String("attribute_exists(hardware_id)"),
		ExpressionAttributeValues: item{":name": str(name)},
	})
	if !ok {
		return Device{}, false, err
	}
	return deviceOf(named), true, nil
}

// updateExisting runs an update whose condition is that the item exists, and gives the item as it is then; false when
// it does not exist.
func (s *store) updateExisting(ctx context.Context, in *dynamodb.UpdateItemInput) (item, bool, error) {
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if unmet(err) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, failure(err)
	}
	return out.Attributes, true, nil
}

// latestReading is TL-P5.
func (s *store) latestReading(ctx context.Context, id HardwareID) (Reading, bool, error) {
	items, _, err := s.query(ctx, &dynamodb.QueryInput{
		TableName:                 s.table(tableReadings),
		KeyConditionExpression:    aws.String("hardware_id = :hw_id"),
		ExpressionAttributeValues: item{":hw_id": str(id)},
		ScanIndexForward:          aws.Bool(false),
	}, 1, nil)
	if err != nil || len(items) == 0 {
		return Reading{}, false, err
	}
	return readingOf(items[0]), true, nil
}

// readingsBetween is TL-P6: from and to are bounds of the sort key.
func (s *store) readingsBetween(ctx context.Context, id HardwareID, from, to string, ascending bool, limit int, after key) ([]Reading, key, error) {
	items, last, err := s.query(ctx, &dynamodb.QueryInput{
		TableName:                 s.table(tableReadings),
		KeyConditionExpression:    aws.String("hardware_id = :hw_id AND ts_batch BETWEEN :from AND :to"),
		ExpressionAttributeValues: item{":hw_id": str(id), ":from": str(from), ":to": str(to)},
		ScanIndexForward:          aws.Bool(ascending),
	}, limit, after)
	return collect(items, readingOf), last, err
}

// reachable reads a device that cannot exist: half a read unit to learn that the database and its tables answer.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.device(ctx, "healthz")
	return err
}

func (s *store) query(ctx context.Context, in *dynamodb.QueryInput, limit int, after key) ([]item, key, error) {
	in.Limit = aws.Int32(int32(limit))
	if len(after) > 0 {
		in.ExclusiveStartKey = make(item, len(after))
		for name, value := range after {
			in.ExclusiveStartKey[name] = str(value)
		}
	}
	out, err := s.client.Query(ctx, in)
	if err != nil {
		return nil, nil, failure(err)
	}
	last := make(key, len(out.LastEvaluatedKey))
	for name, value := range out.LastEvaluatedKey {
		last[name] = text(value)
	}
	return out.Items, last, nil
}

// unmet says that a condition did not hold.
func unmet(err error) bool {
	var failed *types.ConditionalCheckFailedException
	return errors.As(err, &failed)
}
