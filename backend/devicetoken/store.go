package devicetoken

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// store speaks to DynamoDB: one method a pattern of doc.go. It and items.go are the only place that knows the SDK. A missing item is
// false, or a condition that did not hold; an error is the database's.
type store struct {
	client      *dynamodb.Client
	table       string
	activeIndex bool // PE-D1: devices have activeAt while they are active
}

const exists = "attribute_exists(userId)"

// create is the first half of PE-P1; false when the device exists.
func (s *store) create(ctx context.Context, u UserID, d Device) (bool, error) {
	put := keyOf(u, d.DeviceID)
	put["expoPushToken"], put["platform"] = ddb.Str(d.Token), ddb.Str(d.Platform)
	put["registeredAt"], put["updatedAt"] = ddb.Str(d.RegisteredAt), ddb.Str(d.UpdatedAt)
	put["isActive"], put["expiresAt"] = ddb.Bool(d.IsActive), ddb.Number(d.ExpiresAt)
	if s.activeIndex {
		put[attributeActiveAt] = ddb.Str(d.UpdatedAt)
	}
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: put,
		ConditionExpression: aws.String("attribute_not_exists(userId) OR attribute_not_exists(deviceId)"),
	})
	if ddb.Unmet(err) {
		return false, nil
	}
	return err == nil, ddb.Failure(err)
}

// refresh is PE-P2; false when there is no such device.
func (s *store) refresh(ctx context.Context, u UserID, id DeviceID, token PushToken, now Timestamp, expires int64) (Device, bool, error) {
	update := "SET expoPushToken = :token, updatedAt = :now, isActive = :active, expiresAt = :expires"
	if s.activeIndex {
		update += ", " + attributeActiveAt + " = :now"
	}
	return s.update(ctx, keyOf(u, id), update, exists, ddb.Item{
		":token": ddb.Str(token), ":now": ddb.Str(now), ":active": ddb.Bool(true), ":expires": ddb.Number(expires),
	})
}

// get is PE-P3.
func (s *store) get(ctx context.Context, u UserID, id DeviceID) (Device, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: keyOf(u, id), ConsistentRead: aws.Bool(true)})
	if err != nil || out.Item == nil {
		return Device{}, false, ddb.Failure(err)
	}
	return deviceOf(out.Item), true, nil
}

// active is PE-P4. The document filters by isActive alone, which lets devices through that are past expiresAt and that
// TTL has not deleted yet; so the filter asks for both (PE-D3), as the document's own runbook does.
func (s *store) active(ctx context.Context, u UserID, now int64) ([]Device, error) {
	return s.query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: aws.String("userId = :userId"),
		FilterExpression: aws.String("isActive = :true AND expiresAt > :now"),
		ExpressionAttributeValues: ddb.Item{
			":userId": ddb.Str(u), ":true": ddb.Bool(true), ":now": ddb.Number(now),
		},
	})
}

// all is every device of a user, as PE-O8 looks at them.
func (s *store) all(ctx context.Context, u UserID) ([]Device, error) {
	return s.query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: aws.String("userId = :userId"),
		ExpressionAttributeValues: ddb.Item{":userId": ddb.Str(u)}, ConsistentRead: aws.Bool(true),
	})
}

// ids are the devices of a user by their ids alone, for PE-R7.
func (s *store) ids(ctx context.Context, u UserID) ([]DeviceID, error) {
	devices, err := s.query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: aws.String("userId = :userId"),
		ExpressionAttributeValues: ddb.Item{":userId": ddb.Str(u)}, ConsistentRead: aws.Bool(true),
		ProjectionExpression: aws.String("deviceId"),
	})
	ids := make([]DeviceID, 0, len(devices))
	for _, d := range devices {
		ids = append(ids, d.DeviceID)
	}
	return ids, err
}

func (s *store) query(ctx context.Context, in *dynamodb.QueryInput) ([]Device, error) {
	devices := []Device{}
	err := ddb.QueryAll(ctx, s.client, in, func(items []ddb.Item) error {
		devices = append(devices, ddb.Collect(items, deviceOf)...)
		return nil
	})
	return devices, err
}

// deactivate is PE-P5; false when there is no such device.
func (s *store) deactivate(ctx context.Context, u UserID, id DeviceID, now Timestamp) (Device, bool, error) {
	return s.update(ctx, keyOf(u, id), s.setInactive(), exists, ddb.Item{":false": ddb.Bool(false), ":now": ddb.Str(now)})
}

// bury deactivates a device whose token the push service calls dead; false when the device is not as it was seen any more.
// The token alone would not tell: an app that was removed from an iPhone and comes back has the same one.
func (s *store) bury(ctx context.Context, u UserID, d Device, now Timestamp) (bool, error) {
	seen := exists + " AND expoPushToken = :token AND updatedAt = :seen"
	_, buried, err := s.update(ctx, keyOf(u, d.DeviceID), s.setInactive(), seen, ddb.Item{
		":false": ddb.Bool(false), ":now": ddb.Str(now), ":token": ddb.Str(d.Token), ":seen": ddb.Str(d.UpdatedAt),
	})
	return buried, err
}

func (s *store) setInactive() string {
	update := "SET isActive = :false, updatedAt = :now"
	if s.activeIndex {
		update += " REMOVE " + attributeActiveAt
	}
	return update
}

// remove is PE-P6; false when there is no such device.
func (s *store) remove(ctx context.Context, u UserID, id DeviceID) (bool, error) {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: keyOf(u, id), ConditionExpression: aws.String(exists),
	})
	if ddb.Unmet(err) {
		return false, nil
	}
	return err == nil, ddb.Failure(err)
}

// update gives the item as it is then; false when the condition did not hold.
func (s *store) update(ctx context.Context, key ddb.Item, update, condition string, values ddb.Item) (Device, bool, error) {
	out, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: key, UpdateExpression: &update, ConditionExpression: &condition,
		ExpressionAttributeValues: values, ReturnValues: types.ReturnValueAllNew,
	})
	if ddb.Unmet(err) {
		return Device{}, false, nil
	}
	if err != nil {
		return Device{}, false, ddb.Failure(err)
	}
	return deviceOf(out.Attributes), true, nil
}

// reachable asks for an item that nobody has: what health is, with what the service's policy allows.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.get(ctx, "#", "#")
	return err
}
