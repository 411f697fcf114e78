package service

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// statementResults are the results of the last statements.
type statementResults struct {
	token *string // continues the last page
	batch []string
}

func (w *world) statements(sc *godog.ScenarioContext) {
	sc.Step(`^this statement is run:$`, func(ctx context.Context, text *godog.DocString) error {
		return w.execute(ctx, "[]", 0, nil, text.Content)
	})
	sc.Step(`^this statement is run with the parameters (\[.*\]):$`,
		func(ctx context.Context, parameters string, text *godog.DocString) error {
			return w.execute(ctx, parameters, 0, nil, text.Content)
		})
	sc.Step(`^this statement is run with the parameters (\[.*\]), (\d+) items a page:$`,
		func(ctx context.Context, parameters string, limit int32, text *godog.DocString) error {
			return w.execute(ctx, parameters, limit, nil, text.Content)
		})
	sc.Step(`^this statement is continued with the parameters (\[.*\]):$`,
		func(ctx context.Context, parameters string, text *godog.DocString) error {
			return w.execute(ctx, parameters, 0, w.statement.token, text.Content)
		})
	sc.Step(`^these statements are run in one batch:$`, w.executeBatch)
	sc.Step(`^the results of the statements are "([^"]*)"$`, w.batchResults)
	sc.Step(`^these statements are run in one transaction:$`, w.executeTransaction)
	sc.Step(`^(\d+) items of 1 KB are put into "([^"]*)" under "([^"]*)" "([^"]*)"$`, w.putKilobytes)
}

// tableInStatement matches the table of a statement.
var tableInStatement = lazyregexp.New(`\b(FROM|INTO|UPDATE) "([^"]*)"`)

// withTables returns a statement with the full names of the scenario's tables.
func (w *world) withTables(statement string) *string {
	return aws.String(tableInStatement.ReplaceAllStringFunc(statement, func(found string) string {
		m := tableInStatement.FindStringSubmatch(found)
		return m[1] + ` "` + *w.Table(m[2]) + `"`
	}))
}

// execute runs a statement with parameters as a list in JSON. limit is the number of items to read, 0 for no limit. A
// refused statement keeps the token of the last page.
func (w *world) execute(ctx context.Context, parameters string, limit int32, token *string, statement string) error {
	in := &dynamodb.ExecuteStatementInput{Statement: w.withTables(statement), NextToken: token,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	var plain []any
	if err := json.Unmarshal([]byte(parameters), &plain); err != nil {
		return err
	}
	for _, value := range plain {
		v, err := attributevalue.Marshal(value)
		if err != nil {
			return err
		}
		in.Parameters = append(in.Parameters, v)
	}
	if limit > 0 {
		in.Limit = &limit
	}
	out, err := w.Once.ExecuteStatement(ctx, in)
	if w.Reply = (steps.Reply{Err: err}); err == nil {
		w.Found, w.statement.token = out.Items, out.NextToken
		w.Consumed = []types.ConsumedCapacity{*out.ConsumedCapacity}
	}
	return nil
}

func (w *world) executeBatch(ctx context.Context, rows *godog.Table) error {
	in := &dynamodb.BatchExecuteStatementInput{}
	for _, row := range rows.Rows {
		in.Statements = append(in.Statements, types.BatchStatementRequest{Statement: w.withTables(row.Cells[0].Value)})
	}
	out, err := w.Once.BatchExecuteStatement(ctx, in)
	if w.Reply, w.statement.batch = (steps.Reply{Err: err}), nil; err != nil {
		return nil
	}
	for _, r := range out.Responses {
		result := "success"
		if r.Error != nil {
			result = string(r.Error.Code)
		}
		w.statement.batch = append(w.statement.batch, result)
	}
	return nil
}

// batchResults checks the result of each statement of the last batch: success, or the code of its error.
func (w *world) batchResults(want string) error {
	if got := strings.Join(w.statement.batch, ", "); w.Err != nil || got != want {
		return fmt.Errorf("they are %q, %v", got, w.Err)
	}
	return nil
}

func (w *world) executeTransaction(ctx context.Context, rows *godog.Table) error {
	in := &dynamodb.ExecuteTransactionInput{}
	for _, row := range rows.Rows {
		in.TransactStatements = append(in.TransactStatements,
			types.ParameterizedStatement{Statement: w.withTables(row.Cells[0].Value)})
	}
	_, err := w.Once.ExecuteTransaction(ctx, in)
	w.Reply = steps.Reply{Err: err}
	return nil
}

// putKilobytes puts n items of about 1 KB, with one partition key and the sort key id, from 1.
func (w *world) putKilobytes(ctx context.Context, n int, table, attribute, value string) error {
	padding := &types.AttributeValueMemberS{Value: strings.Repeat("x", 1000)}
	for i := range n {
		it := steps.Item{attribute: &types.AttributeValueMemberS{Value: value}, "padding": padding,
			"id": &types.AttributeValueMemberS{Value: strconv.Itoa(i + 1)}}
		if _, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{TableName: w.Table(table), Item: it}); err != nil {
			return err
		}
	}
	return nil
}
