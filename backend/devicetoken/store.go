package devicetoken

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// store accesses DynamoDB: one method per pattern of doc.go. Only store.go and items.go use the SDK. Methods return
// false for a missing item or a condition that does not hold; errors are the database's.
type store struct {
	client      *dynamodb.Client
	table       string
	activeIndex bool // PE-D1: active devices have activeAt
}

func exists() expression.ConditionBuilder { return expression.Name("userId").AttributeExists() }

func userKeyCondition(u UserID) expression.KeyConditionBuilder {
	return expression.Key("userId").Equal(expression.Value(u))
}

// create is the first half of PE-P1; it returns false when the device exists. If the SDK repeats a put whose response
// was lost, it finds its own device, which is new.
func (s *store) create(ctx context.Context, u UserID, d Device) (bool, error) {
	put := record{UserID: u, Device: d}
	if s.activeIndex {
		put.ActiveAt = d.UpdatedAt
	}
	attempts := 0
	_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: ddb.Marshal(put),
		ConditionExpression:                 aws.String("attribute_not_exists(userId) OR attribute_not_exists(deviceId)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}, ddb.CountAttempts(&attempts))
	if stored, failed := ddb.FailedItem(err); failed {
		return attempts > 1 && deviceOf(stored) == d, nil
	}
	return err == nil, ddb.MapError(err)
}

// refresh is PE-P2; it returns false when there is no such device.
func (s *store) refresh(ctx context.Context, u UserID, id DeviceID, token PushToken, now Timestamp,
	expires int64) (Device, bool, error) {
	change := expression.Set(expression.Name("expoPushToken"), expression.Value(token)).
		Set(expression.Name("updatedAt"), expression.Value(now)).
		Set(expression.Name("isActive"), expression.Value(true)).
		Set(expression.Name("expiresAt"), expression.Value(expires))
	if s.activeIndex {
		change = change.Set(expression.Name(attributeActiveAt), expression.Value(now))
	}
	return s.update(ctx, keyOf(u, id), change, exists())
}

// get is PE-P3.
func (s *store) get(ctx context.Context, u UserID, id DeviceID) (Device, bool, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: keyOf(u, id),
		ConsistentRead: aws.Bool(true)})
	if err != nil || out.Item == nil {
		return Device{}, false, ddb.MapError(err)
	}
	return deviceOf(out.Item), true, nil
}

// active is PE-P4. The document filters by isActive alone, which would return devices that are past expiresAt but not
// yet deleted by TTL; so the filter checks both (PE-D3), as the document's own runbook does.
func (s *store) active(ctx context.Context, u UserID, now int64) ([]Device, error) {
	return s.query(ctx, ddb.Where(&dynamodb.QueryInput{TableName: &s.table}, userKeyCondition(u),
		expression.Name("isActive").Equal(expression.Value(true)).And(expression.Name("expiresAt").GreaterThan(
			expression.Value(now)))))
}

// all returns every device of a user, for PE-O8.
func (s *store) all(ctx context.Context, u UserID) ([]Device, error) {
	return s.query(ctx, ddb.Where(&dynamodb.QueryInput{TableName: &s.table, ConsistentRead: aws.Bool(true)},
		userKeyCondition(u)))
}

// ids returns the ids of a user's devices, for PE-R7.
func (s *store) ids(ctx context.Context, u UserID) ([]DeviceID, error) {
	devices, err := s.query(ctx, ddb.Where(&dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("deviceId"),
	}, userKeyCondition(u)))
	ids := make([]DeviceID, 0, len(devices))
	for _, d := range devices {
		ids = append(ids, d.DeviceID)
	}
	return ids, err
}

func (s *store) query(ctx context.Context, in *dynamodb.QueryInput) ([]Device, error) {
	devices := []Device{}
	err := ddb.QueryAll(ctx, s.client, in, func(items []ddb.Item) error {
		devices = append(devices, ddb.DecodeAll(items, deviceOf)...)
		return nil
	})
	return devices, err
}

// deactivate is PE-P5; it returns false when there is no such device.
func (s *store) deactivate(ctx context.Context, u UserID, id DeviceID, now Timestamp) (Device, bool, error) {
	return s.update(ctx, keyOf(u, id), s.setInactive(now), exists())
}

// deactivateUnregistered deactivates a device whose token the push service calls dead; it returns false when the device
// has changed since it was read. Comparing the token alone would not suffice: an app that was removed from an iPhone
// and installed again has the same one.
func (s *store) deactivateUnregistered(ctx context.Context, u UserID, d Device, now Timestamp) (bool, error) {
	unchanged := exists().And(expression.Name("expoPushToken").Equal(expression.Value(d.Token)),
		expression.Name("updatedAt").Equal(expression.Value(d.UpdatedAt)))
	_, deactivated, err := s.update(ctx, keyOf(u, d.DeviceID), s.setInactive(now), unchanged)
	return deactivated, err
}

func (s *store) setInactive(now Timestamp) expression.UpdateBuilder {
	change := expression.Set(expression.Name("isActive"), expression.Value(false)).
		Set(expression.Name("updatedAt"), expression.Value(now))
	if s.activeIndex {
		change = change.Remove(expression.Name(attributeActiveAt))
	}
	return change
}

// remove is PE-P6; it returns false when there is no such device, and also when the SDK repeats a delete whose response
// was lost: what a deleted device was is unknown.
func (s *store) remove(ctx context.Context, u UserID, id DeviceID) (bool, error) {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.table, Key: keyOf(u, id), ConditionExpression: aws.String("attribute_exists(userId)"),
	})
	if ddb.ConditionFailed(err) {
		return false, nil
	}
	return err == nil, ddb.MapError(err)
}

// update returns the item after the update; false when the condition does not hold.
func (s *store) update(ctx context.Context, key ddb.Item, change expression.UpdateBuilder,
	condition expression.ConditionBuilder) (Device, bool, error) {
	in := ddb.Update(&s.table, key, change, condition)
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if ddb.ConditionFailed(err) {
		return Device{}, false, nil
	}
	if err != nil {
		return Device{}, false, ddb.MapError(err)
	}
	return deviceOf(out.Attributes), true, nil
}

// reachable reads an item that cannot exist: a health check that the service's policy allows.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.get(ctx, "#", "#")
	return err
}
