package emulator_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// The response to an update is lost, and the SDK retries it: the counter is incremented twice.
func ExampleEmulator_Fail() {
	e := started()
	defer e.Close()
	db := dynamodb.NewFromConfig(e.AWSConfig())
	newTable(db, "visits")
	remove, err := e.Fail(emulator.Fault{Operations: []string{"UpdateItem"}, Do: emulator.DoCutAfterCommit, Times: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer remove()
	out, err := db.UpdateItem(context.Background(), &dynamodb.UpdateItemInput{
		TableName:                 aws.String("visits"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "home"}},
		UpdateExpression:          aws.String("ADD n :one"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("visits:", out.Attributes["n"].(*types.AttributeValueMemberN).Value)
	fmt.Println("lost:", e.Faults()[0].Hits)
	// Output:
	// visits: 2
	// lost: 1
}

// Every third ListTables request is throttled, from the start.
func ExampleWithFaults() {
	e := started(emulator.WithFaults(emulator.Fault{Name: "busy", Operations: []string{"ListTables"},
		Do: emulator.DoThrottle, Every: 3}))
	defer e.Close()
	db := dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	for range 3 {
		_, err := db.ListTables(context.Background(), &dynamodb.ListTablesInput{})
		fmt.Println(err == nil)
	}
	// Output:
	// true
	// true
	// false
}
