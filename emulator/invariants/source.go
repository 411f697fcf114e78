package invariants

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/internal/model/condition"
)

// source is the items that a check reads: those of a table or container that meet a condition.
type source struct {
	table  string
	cosmos *Container // takes the place of the table
	only   string     // "": all items
	not    string     // of a table: leaves out the items that meet this condition; "": none
}

// source returns the items that the invariant is about.
func (v *Invariant) source() source { return source{v.Table, v.Cosmos, v.Only, ""} }

// counted returns the items that Has counts.
func (v *Invariant) counted() source {
	s := source{table: v.Has.In, only: v.Has.Only}
	if v.Cosmos != nil {
		s.cosmos = &Container{v.Cosmos.Database, v.Has.In}
	}
	return s
}

// read passes the items of a source to do, read with strong consistency.
func (d Databases) read(ctx context.Context, s source, do func(item)) error {
	if s.cosmos != nil {
		return d.readContainer(ctx, *s.cosmos, s.only, do)
	}
	in := &dynamodb.ScanInput{TableName: aws.String(d.Prefix + s.table), ConsistentRead: aws.Bool(true)}
	if err := s.filter(in); err != nil {
		return err
	}
	return d.scan(ctx, in, func(items []item) error {
		for _, each := range items {
			do(each)
		}
		return nil
	})
}

// scan passes the items of a scan to do, page by page, until that returns an error.
func (d Databases) scan(ctx context.Context, in *dynamodb.ScanInput, do func([]item) error) error {
	for pages := dynamodb.NewScanPaginator(d.DynamoDB, in); pages.HasMorePages(); {
		page, err := pages.NextPage(ctx)
		if err == nil {
			err = do(page.Items)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// filter adds the conditions to a scan.
func (s source) filter(in *dynamodb.ScanInput) error {
	var e condition.Expressions
	only, err := e.Condition(s.only)
	if err != nil {
		return err
	}
	not, err := e.Condition(s.not)
	if err != nil {
		return err
	}
	switch {
	case only != nil && not != nil:
		in.FilterExpression = aws.String("(" + *only + ") AND NOT (" + *not + ")")
	case not != nil:
		in.FilterExpression = aws.String("NOT (" + *not + ")")
	default:
		in.FilterExpression = only
	}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.Names, e.Values
	return nil
}
