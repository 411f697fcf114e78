package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator"
)

// A policy is tested locally: what it does not allow is refused as on AWS.
func ExampleWithIdentitiesFrom() {
	e := started(emulator.WithIdentitiesFrom(strings.NewReader(`
account: "123456789012"
users:
  reader:
    keys: [{id: AKIAIOSFODNN7EXAMPLE, secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY}]
    inline:
      read: {Version: "2012-10-17", Statement: {Effect: Allow, Action: ["dynamodb:Get*", "dynamodb:List*"], Resource: "*"}}
`)))
	defer e.Close()
	ctx, db := context.Background(), dynamodb.NewFromConfig(e.AWSConfigFor("reader"))
	out, err := db.ListTables(ctx, nil)
	fmt.Println(out.TableNames, err)
	_, err = db.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	var refused smithy.APIError
	fmt.Println(errors.As(err, &refused), refused.ErrorCode(), refused.ErrorMessage())
	// Output:
	// [] <nil>
	// true AccessDeniedException User: arn:aws:iam::123456789012:user/reader is not authorized to perform: dynamodb:DeleteTable on resource: arn:aws:dynamodb:us-east-1:123456789012:table/orders because no identity-based policy allows the dynamodb:DeleteTable action
}
