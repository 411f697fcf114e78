package kefir

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/internal/ddb"
	"github.com/tabletop-db/tabletop/backend/internal/idempotency"
	"github.com/tabletop-db/tabletop/backend/internal/retry"
)

// store speaks to DynamoDB: one method a pattern of doc.go. It and its files store_*.go are the only place that knows the
// SDK. A missing item is false, or a condition that did not hold; an error is the database's.
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

// saveUser makes the profile or replaces what its owner may set; createdAt is kept. True when it is new.
func (s *store) saveUser(ctx context.Context, u User, set *Preferences) (User, bool, error) {
	change := &update{
		set:  ddb.Item{"userId": ddb.Str(u.UserID), "email": ddb.Str(u.Email), "updatedAt": ddb.Str(u.UpdatedAt)},
		once: ddb.Item{"createdAt": ddb.Str(u.UpdatedAt)},
	}
	put(change, "name", u.Name)
	if set == nil {
		change.remove = append(change.remove, "preferences")
	} else {
		change.set["preferences"] = preferencesValue(*set)
	}
	old, err := s.replace(ctx, userKey(u.UserID), change)
	u.CreatedAt = u.UpdatedAt
	if old != nil {
		u.CreatedAt = userOf(old).CreatedAt
	}
	return u, old == nil, err
}

// saveDevice makes the device or renews it; createdAt is kept. True when it is new.
func (s *store) saveDevice(ctx context.Context, d Device) (Device, bool, error) {
	change := &update{
		set: ddb.Item{
			"deviceId": ddb.Str(d.DeviceID), "userId": ddb.Str(d.UserID), "platform": ddb.Str(d.Platform),
			"pushToken": ddb.Str(d.PushToken), "lastSeenAt": ddb.Str(d.LastSeenAt),
		},
		once: ddb.Item{"createdAt": ddb.Str(d.LastSeenAt)},
	}
	if d.DeviceInfo == nil {
		change.remove = append(change.remove, "deviceInfo")
	} else {
		change.set["deviceInfo"] = deviceInfoValue(*d.DeviceInfo)
	}
	old, err := s.replace(ctx, deviceKey(d.UserID, d.DeviceID), change)
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
	return ddb.Collect(items, deviceOf), last, err
}

// removeDevice takes a device away; one that is not there is no error. With a token it goes only while it has that token.
func (s *store) removeDevice(ctx context.Context, user string, id DeviceID, token PushToken) error {
	in := &dynamodb.DeleteItemInput{TableName: s.table, Key: deviceKey(user, id)}
	if token != "" {
		in.ConditionExpression = aws.String("pushToken = :token")
		in.ExpressionAttributeValues = ddb.Item{":token": ddb.Str(token)}
	}
	_, err := s.client.DeleteItem(ctx, in)
	if ddb.Unmet(err) {
		return nil
	}
	return ddb.Failure(err)
}

// create puts an item without a condition: its id is new, and a put whose answer was lost is sent again by the SDK. With a mark
// the marker of the idempotency key is written in the same transaction, and refers to the item by made.
func (s *store) create(ctx context.Context, item ddb.Item, mark idempotency.Mark, made string) error {
	if mark == nil {
		_, err := s.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: s.table, Item: item})
		return ddb.Failure(err)
	}
	return idempotency.Put(ctx, s.client, &types.Put{TableName: s.table, Item: item}, mark(made))
}

// get reads one item, consistently; nil when there is none.
func (s *store) get(ctx context.Context, key ddb.Item) (ddb.Item, error) {
	out, err := s.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: s.table, Key: key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, ddb.Failure(err)
	}
	return out.Item, nil
}

// replace runs an update without a condition and gives the item as it was; nil when there was none.
func (s *store) replace(ctx context.Context, key ddb.Item, u *update) (ddb.Item, error) {
	in := s.update(key, u)
	in.ReturnValues = types.ReturnValueAllOld
	out, err := s.client.UpdateItem(ctx, in)
	if err != nil {
		return nil, ddb.Failure(err)
	}
	return out.Attributes, nil
}

// change runs an update with a condition and gives the item as it is then; nil when the condition did not hold.
func (s *store) change(ctx context.Context, key ddb.Item, u *update) (ddb.Item, error) {
	in := s.update(key, u)
	in.ReturnValues = types.ReturnValueAllNew
	out, err := s.client.UpdateItem(ctx, in)
	if ddb.Unmet(err) {
		return nil, nil
	}
	if err != nil {
		return nil, ddb.Failure(err)
	}
	return out.Attributes, nil
}

func (s *store) update(key ddb.Item, u *update) *dynamodb.UpdateItemInput {
	return &dynamodb.UpdateItemInput{
		TableName: s.table, Key: key, UpdateExpression: u.expression(), ConditionExpression: u.conditionExpression(),
		ExpressionAttributeNames: u.names(), ExpressionAttributeValues: u.values(),
	}
}

// beginsWith is the query of one kind of item of a partition.
func (s *store) beginsWith(pk, prefix string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: s.table, KeyConditionExpression: aws.String("PK = :pk AND begins_with(SK, :sk)"),
		ExpressionAttributeValues: ddb.Item{":pk": ddb.Str(pk), ":sk": ddb.Str(prefix)},
	}
}

// reachable reads a user that cannot be: one read unit to learn that the database and its table answer.
func (s *store) reachable(ctx context.Context) error {
	_, _, err := s.user(ctx, "#healthz")
	return err
}
