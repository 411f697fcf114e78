package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// store accesses DynamoDB: one method per pattern of doc.go. Only store.go and store_*.go use the SDK. Methods return
// false for a missing item or a condition that does not hold; errors are the database's.
type store struct {
	client *dynamodb.Client
	table  *string
	wait   retry.Wait
}

// user is KF-P1.
func (s *store) user(ctx context.Context, id string) (User, bool, error) {
	in, err := s.get(ctx, userKey(id))
	return userOf(in), in != nil, err
}

// saveUser creates the profile or replaces what its owner may set, keeping createdAt. It reports whether the profile is
// new.
func (s *store) saveUser(ctx context.Context, u User, set *Preferences) (User, bool, error) {
	created := expression.Name("createdAt")
	change := expression.Set(expression.Name("userId"), expression.Value(u.UserID)).
		Set(expression.Name("email"), expression.Value(u.Email)).
		Set(expression.Name("updatedAt"), expression.Value(u.UpdatedAt)).
		Set(created, created.IfNotExists(expression.Value(u.UpdatedAt)))
	change = setOrRemove(setOrRemove(change, "name", u.Name), "preferences", set)
	old, err := s.replace(ctx, userKey(u.UserID), change)
	u.CreatedAt = u.UpdatedAt
	if old != nil {
		u.CreatedAt = userOf(old).CreatedAt
	}
	return u, old == nil, err
}

// saveDevice creates or renews the device, keeping createdAt. It reports whether the device is new.
func (s *store) saveDevice(ctx context.Context, d Device) (Device, bool, error) {
	created := expression.Name("createdAt")
	change := expression.Set(expression.Name("deviceId"), expression.Value(d.DeviceID)).
		Set(expression.Name("userId"), expression.Value(d.UserID)).
		Set(expression.Name("platform"), expression.Value(d.Platform)).
		Set(expression.Name("pushToken"), expression.Value(d.PushToken)).
		Set(expression.Name("lastSeenAt"), expression.Value(d.LastSeenAt)).
		Set(created, created.IfNotExists(expression.Value(d.LastSeenAt)))
	old, err := s.replace(ctx, deviceKey(d.UserID, d.DeviceID), setOrRemove(change, "deviceInfo", d.DeviceInfo))
	d.CreatedAt = d.LastSeenAt
	if old != nil {
		d.CreatedAt = deviceOf(old).CreatedAt
	}
	return d, old == nil, err
}

// device is KF-P12.
func (s *store) device(ctx context.Context, user string, id DeviceID) (Device, bool, error) {
	in, err := s.get(ctx, deviceKey(user, id))
	return deviceOf(in), in != nil, err
}

// devices is KF-P11.
func (s *store) devices(ctx context.Context, user string, limit int, after ddb.Key) ([]Device, ddb.Key, error) {
	items, last, err := ddb.Query(ctx, s.client, s.beginsWith(userPK(user), prefixDevice), limit, after)
	return ddb.DecodeAll(items, deviceOf), last, err
}

// removeDevice deletes a device, if it exists.
func (s *store) removeDevice(ctx context.Context, user string, id DeviceID) error {
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: s.table, Key: deviceKey(user, id)})
	return ddb.MapError(err)
}

// removeUnregistered deletes a device that the push service no longer knows; it returns false when the device was
// removed, or has registered again, since it was read. Comparing the token alone would not suffice: an app that was
// removed from an iPhone and installed again has the same one.
func (s *store) removeUnregistered(ctx context.Context, d *Device) (bool, error) {
	e := ddb.Build(expression.NewBuilder().WithCondition(
		expression.Name("pushToken").Equal(expression.Value(d.PushToken)).
			And(expression.Name("lastSeenAt").Equal(expression.Value(d.LastSeenAt)))))
	_, err := s.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: s.table, Key: deviceKey(d.UserID, d.DeviceID), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	})
	if ddb.ConditionFailed(err) {
		return false, nil
	}
	return err == nil, ddb.MapError(err)
}

// create puts an item without a condition: its id is new, and the SDK may repeat a put whose response was lost. With a
// mark, the marker of the idempotency key is written in the same transaction and refers to the item by ref.
func (s *store) create(ctx context.Context, item ddb.Item, mark idempotency.Mark, ref string) error {
	if mark == nil {
		_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: s.table, Item: item})
		return ddb.MapError(err)
	}
	return idempotency.Put(ctx, s.client, &types.Put{TableName: s.table, Item: item}, mark(ref))
}

// get reads one item consistently; nil when there is none.
func (s *store) get(ctx context.Context, key ddb.Item) (ddb.Item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: s.table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, ddb.MapError(err)
	}
	return out.Item, nil
}

// replace runs an unconditional update and returns the item before it; nil when there was none.
func (s *store) replace(ctx context.Context, key ddb.Item, u expression.UpdateBuilder) (ddb.Item, error) {
	in := ddb.Update(s.table, key, u)
	in.ReturnValues = types.ReturnValueAllOld
	out, err := s.client.UpdateItem(ctx, in)
	if err != nil {
		return nil, ddb.MapError(err)
	}
	return out.Attributes, nil
}

// updateIf runs a conditional update and returns the item after it; nil when the condition does not hold.
func (s *store) updateIf(ctx context.Context, key ddb.Item, u expression.UpdateBuilder,
	condition expression.ConditionBuilder) (ddb.Item, error) {
	in := ddb.Update(s.table, key, u, condition)
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if ddb.ConditionFailed(err) {
		return nil, nil
	}
	if err != nil {
		return nil, ddb.MapError(err)
	}
	return out.Attributes, nil
}

// setOrRemove adds to an update that it sets an attribute, or removes it when value is empty (KF-R7).
func setOrRemove[T comparable](u expression.UpdateBuilder, name string, value T) expression.UpdateBuilder {
	if value == *new(T) {
		return u.Remove(expression.Name(name))
	}
	return u.Set(expression.Name(name), expression.Value(value))
}

// beginsWith returns the query of one kind of item in a partition, with an optional filter.
func (s *store) beginsWith(pk, prefix string, filter ...expression.ConditionBuilder) *dynamodb.QueryInput {
	return ddb.Where(&dynamodb.QueryInput{TableName: s.table},
		keyEquals("PK", pk).And(expression.Key("SK").BeginsWith(prefix)), filter...)
}

func keyEquals(key, value string) expression.KeyConditionBuilder {
	return expression.Key(key).Equal(expression.Value(value))
}

// reachable reads a user that cannot exist: for one read unit it checks that the database and its table respond.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.user(ctx, "#healthz")
	return err
}
