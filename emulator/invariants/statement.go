package invariants

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// runStatement finds what a statement in PartiQL returns.
func (v *Invariant) runStatement(ctx context.Context, d Databases, b *Break) error {
	in := &dynamodb.ExecuteStatementInput{Statement: aws.String(v.Finds), ConsistentRead: aws.Bool(true)}
	for {
		page, err := d.DynamoDB.ExecuteStatement(ctx, in)
		if err != nil {
			return err
		}
		for _, each := range page.Items {
			b.add("%s", show(each))
		}
		if page.NextToken == nil {
			return nil
		}
		in.NextToken = page.NextToken
	}
}
