package ddb

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Build builds the expressions of a request. It panics when a part of the builder was never set, which is a bug that
// does not depend on data.
func Build(b expression.Builder) expression.Expression {
	built, err := b.Build()
	if err != nil {
		panic(fmt.Errorf("cannot build the expression: %w", err))
	}
	return built
}

// Where sets the key condition of a query, and its filter if one is given.
func Where(in *dynamodb.QueryInput, key expression.KeyConditionBuilder,
	filter ...expression.ConditionBuilder) *dynamodb.QueryInput {
	b := expression.NewBuilder().WithKeyCondition(key)
	for _, f := range filter {
		b = b.WithFilter(f)
	}
	e := Build(b)
	in.KeyConditionExpression, in.FilterExpression = e.KeyCondition(), e.Filter()
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names(), e.Values()
	return in
}

// Update returns the update of the item with this key, with a condition if one is given.
func Update(table *string, key Item, change expression.UpdateBuilder,
	condition ...expression.ConditionBuilder) *dynamodb.UpdateItemInput {
	b := expression.NewBuilder().WithUpdate(change)
	for _, c := range condition {
		b = b.WithCondition(c)
	}
	e := Build(b)
	return &dynamodb.UpdateItemInput{
		TableName: table, Key: key, UpdateExpression: e.Update(), ConditionExpression: e.Condition(),
		ExpressionAttributeNames: e.Names(), ExpressionAttributeValues: e.Values(),
	}
}

// InTransaction returns an update as an action of a transaction.
func InTransaction(u *dynamodb.UpdateItemInput) *types.Update {
	return &types.Update{
		TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
		ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
	}
}
