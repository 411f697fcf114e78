package service

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) indexes(sc *godog.ScenarioContext) {
	sc.Step(`^the index "([^"]*)" of "([^"]*)" is queried for "([^"]*)" and "([^"]*)", (\d+) items? a page$`, w.queryPages)
}

// maxPages is more than the pages of any scenario, so that an index that repeats a page is not read forever.
const maxPages = 20

// queryPages queries an index by the two attributes of its partition key, country and city, page after page.
func (w *world) queryPages(ctx context.Context, index, table, country, city string, size int32) error {
	w.Reply = steps.Reply{}
	in := &dynamodb.QueryInput{
		TableName: w.Table(table), IndexName: &index, Limit: &size,
		KeyConditionExpression: aws.String("country = :country AND city = :city"),
		ExpressionAttributeValues: steps.Item{":country": &types.AttributeValueMemberS{Value: country},
			":city": &types.AttributeValueMemberS{Value: city}},
	}
	for range maxPages {
		out, err := w.Once.Query(ctx, in)
		if err != nil {
			return err
		}
		w.Found = append(w.Found, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return nil
		}
	}
	return errors.New("the pages do not end")
}
