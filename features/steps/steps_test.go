package steps_test

import (
	"context"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/suite"
)

// TestLibrary runs scenarios that use each generic step at least once.
func TestLibrary(t *testing.T) {
	t.Parallel()
	suite.Run(t, os.DirFS("testdata"), suite.Options{Steps: func(sc *godog.ScenarioContext, w *steps.World) {
		sc.Step(`^the code under test reads the order "([^"]*)"$`, func(ctx context.Context, id string) error {
			_, err := w.SDK().GetItem(ctx, &dynamodb.GetItemInput{
				TableName: w.Table("orders"), Key: steps.Item{"id": &types.AttributeValueMemberS{Value: id}},
				ConsistentRead: aws.Bool(true),
			})
			return err
		})
	}})
}
