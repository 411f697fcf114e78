package emulator_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Statements of PartiQL write and read items.
func Example_partiql() {
	e := started()
	defer e.Close()
	ctx, db := context.Background(), dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "orders")
	run := func(statement string, parameters ...types.AttributeValue) []map[string]types.AttributeValue {
		out, err := db.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{
			Statement: aws.String(statement), Parameters: parameters,
		})
		if err != nil {
			log.Fatal(err)
		}
		return out.Items
	}
	run("INSERT INTO orders VALUE {'id': ?, 'pieces': 2}", &types.AttributeValueMemberS{Value: "7"})
	run("UPDATE orders SET pieces = pieces + 1 WHERE id = '7'")
	for _, item := range run("SELECT pieces FROM orders WHERE id = '7'") {
		fmt.Println(item["pieces"].(*types.AttributeValueMemberN).Value)
	}
	// Output: 3
}
