// Package seats keeps the seats of a theatre in one table: a seat is held for ten minutes, and then it is paid or
// becomes free again. It is an example of a small system that a team builds.
package seats

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ErrTaken means that another guest has the seat.
var ErrTaken = errors.New("the seat is taken")

// hold is how long a seat is kept for a guest who has not paid.
const hold = 10 * time.Minute

// Store is the table of seats.
type Store struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

// Hold keeps a seat for a guest for ten minutes. The guest who holds the seat may call it again, because a response may
// have been lost. A seat that the guest has already paid stays paid. Errors: ErrTaken.
func (s *Store) Hold(ctx context.Context, show, seat, guest string) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: key(show, seat),
		UpdateExpression: aws.String("SET guest = :guest, #until = :until"),
		ConditionExpression: aws.String(
			"attribute_not_exists(seat) OR (guest = :guest AND attribute_exists(#until)) OR #until < :now"),
		ExpressionAttributeNames:            map[string]string{"#until": "until"},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":guest": &types.AttributeValueMemberS{Value: guest}, ":now": seconds(s.Now()), ":until": seconds(s.Now().Add(hold)),
		},
	})
	var unmet *types.ConditionalCheckFailedException
	if errors.As(err, &unmet) && text(unmet.Item["guest"]) == guest {
		return nil // paid
	}
	return taken(err)
}

// Pay makes a held seat the guest's for good: the hold no longer expires.
func (s *Store) Pay(ctx context.Context, show, seat, guest string) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: key(show, seat),
		UpdateExpression:          aws.String("REMOVE #until"),
		ConditionExpression:       aws.String("guest = :guest"),
		ExpressionAttributeNames:  map[string]string{"#until": "until"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":guest": &types.AttributeValueMemberS{Value: guest}},
	})
	return taken(err)
}

// Of returns the seats of a guest, such as "Hamlet 1A", in order.
func (s *Store) Of(ctx context.Context, guest string) ([]string, error) {
	out, err := s.Client.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: aws.String("by-guest"), KeyConditionExpression: aws.String("guest = :guest"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":guest": &types.AttributeValueMemberS{Value: guest}},
	})
	if err != nil {
		return nil, err
	}
	var seats []string
	for _, item := range out.Items {
		seats = append(seats, text(item["show"])+" "+text(item["seat"]))
	}
	return seats, nil
}

func key(show, seat string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"show": &types.AttributeValueMemberS{Value: show}, "seat": &types.AttributeValueMemberS{Value: seat},
	}
}

// text returns the value of a string attribute, or "" if it is not a string.
func text(v types.AttributeValue) string {
	s, ok := v.(*types.AttributeValueMemberS)
	if !ok {
		return ""
	}
	return s.Value
}

func seconds(t time.Time) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(t.Unix(), 10)}
}

func taken(err error) error {
	var unmet *types.ConditionalCheckFailedException
	if errors.As(err, &unmet) {
		return ErrTaken
	}
	return err
}
