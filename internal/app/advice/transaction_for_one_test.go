package advice

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// reserve returns the part of a transaction that puts a seat unless it is taken.
func reserve(seat string) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: aws.String("seats"), Item: item{"id": seat}.attributes(),
		ConditionExpression: aws.String("attribute_not_exists(id)")}}
}

// count returns the part of a transaction that counts a seat.
func count() types.TransactWriteItem {
	u := update("seats", item{"id": "taken"}, "ADD n :one", item{":one": 1})
	return types.TransactWriteItem{Update: &types.Update{TableName: u.TableName, Key: u.Key,
		UpdateExpression: u.UpdateExpression, ExpressionAttributeValues: u.ExpressionAttributeValues}}
}

func (p program) transact(token string, parts ...types.TransactWriteItem) {
	p.Helper()
	in := &dynamodb.TransactWriteItemsInput{TransactItems: parts}
	if token != "" {
		in.ClientRequestToken = aws.String(token)
	}
	p.must(p.TransactWriteItems(p.Context(), in))
}

func (p program) transactGet(table string, keys ...item) {
	p.Helper()
	in := &dynamodb.TransactGetItemsInput{}
	for _, key := range keys {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: aws.String(table),
			Key: key.attributes()}})
	}
	p.must(p.TransactGetItems(p.Context(), in))
}

func TestTransactionForOne(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(program, int){
		"write": func(p program, i int) { p.transact("", reserve(fmt.Sprint(i))) },
		"read":  func(p program, i int) { p.transactGet("seats", item{"id": fmt.Sprint(i)}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := wantOne(t, "transaction-for-one", "seats", "4 transactions of one item consume 8 units instead of 4",
				func(p program) {
					p.table("seats", "id")
					for i := range 4 {
						run(p, i)
					}
				})
			if f.Times != 4 || f.Monthly <= 0 {
				t.Errorf("%+v", f)
			}
		})
	}
}

func TestTransactionForOneIsSilent(t *testing.T) {
	t.Parallel()
	often := func(run func(p program, i int)) func(program) {
		return func(p program) {
			p.table("seats", "id")
			for i := range 6 {
				run(p, i)
			}
		}
	}
	wantSilence(t, "transaction-for-one", map[string]func(program){
		"several items": often(func(p program, i int) { p.transact("", reserve(fmt.Sprint(i)), count()) }),
		"as many items as there are": often(func(p program, i int) {
			seats := []types.TransactWriteItem{reserve(fmt.Sprint(i))}
			if i == 5 {
				seats = append(seats, reserve("extra"))
			}
			p.transact("", seats...)
		}),
		"as many reads as there are": often(func(p program, i int) {
			keys := []item{{"id": "0"}, {"id": "1"}}
			p.transactGet("seats", keys[:1+i%2]...)
		}),
		"a token that makes an update happen once": often(func(p program, _ int) { p.transact("", count()) }),
		"a token of the program": often(func(p program, i int) {
			p.transact("reservation-"+fmt.Sprint(i), reserve(fmt.Sprint(i)))
		}),
		"writes without a transaction": often(func(p program, i int) { p.put("seats", item{"id": fmt.Sprint(i)}) }),
	})
}
