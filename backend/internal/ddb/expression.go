package ddb

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Build makes the expressions of a request. It panics where a part of the builder was never given, which a program does
// or does not.
func Build(b expression.Builder) expression.Expression {
	built, err := b.Build()
	if err != nil {
		panic(fmt.Errorf("no expression: %w", err))
	}
	return built
}

// Where gives a query its key condition, and a filter where there is one.
func Where(in *dynamodb.QueryInput, key expression.KeyConditionBuilder, filter ...expression.ConditionBuilder) *dynamodb.QueryInput {
	b := expression.NewBuilder().WithKeyCondition(key)
	for _, f := range filter {
		b = b.WithFilter(f)
	}
	e := Build(b)
	in.KeyConditionExpression, in.FilterExpression = e.KeyCondition(), e.Filter()
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names(), e.Values()
	return in
}

// Update changes the item with this key, if the condition holds where there is one.
func Update(table *string, key Item, change expression.UpdateBuilder, onlyIf ...expression.ConditionBuilder) *dynamodb.UpdateItemInput {
	b := expression.NewBuilder().WithUpdate(change)
	for _, c := range onlyIf {
		b = b.WithCondition(c)
	}
	e := Build(b)
	return &dynamodb.UpdateItemInput{
		TableName: table, Key: key, UpdateExpression: e.Update(), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	}
}

// InTransaction is an update as a part of a transaction.
func InTransaction(u *dynamodb.UpdateItemInput) *types.Update {
	return &types.Update{
		TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
		ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
	}
}
