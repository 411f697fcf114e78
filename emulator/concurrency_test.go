package emulator_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// swap is a conditional write of a register, from one value to another, where "" means no item. If read is set, it is a
// read.
type swap struct {
	read     bool
	key      string
	from, to string
}

// swapped is the result of a swap: whether it succeeded, or the value read.
type swapped struct {
	done  bool
	value string
}

// register is the sequential model of one item.
var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[string][]porcupine.Operation{}
		for _, op := range history {
			key := op.Input.(swap).key
			byKey[key] = append(byKey[key], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		now, in, out := state.(string), input.(swap), output.(swapped)
		switch {
		case in.read:
			return out.value == now, now
		case out.done:
			return now == in.from, in.to
		}
		return now != in.from, now
	},
}

// TestConditionalWritesAreLinearizable lets many clients race for few items, and checks that their results are
// linearizable.
func TestConditionalWritesAreLinearizable(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	c := client(e)
	makeTable(t, c, "registers")
	const clients, each, keys = 12, 60, 4
	var mu sync.Mutex
	var history []porcupine.Operation
	start := time.Now()
	var wg sync.WaitGroup
	for id := range clients {
		wg.Go(func() {
			for n := range each {
				in := swap{key: strconv.Itoa((id + n) % keys), from: value(n - 1), to: value(n), read: n%3 == 0}
				called := time.Since(start)
				out, err := in.do(c)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				history = append(history, porcupine.Operation{ClientId: id, Input: in, Call: int64(called), Output: out,
					Return: int64(time.Since(start))})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if result := porcupine.CheckOperationsTimeout(register, history, await.Timeout); result != porcupine.Ok {
		t.Errorf("%d operations: %v", len(history), result)
	}
}

// value returns one of the few values of a register.
func value(n int) string {
	if n %= 5; n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (s swap) do(c *dynamodb.Client) (swapped, error) {
	ctx, table, key := context.Background(), aws.String("registers"), text("pk", s.key)
	if s.read {
		out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: key, ConsistentRead: aws.Bool(true)})
		if err != nil || out.Item == nil {
			return swapped{}, err
		}
		return swapped{value: out.Item["v"].(*types.AttributeValueMemberS).Value}, nil
	}
	condition, values := aws.String("attribute_not_exists(pk)"), map[string]types.AttributeValue(nil)
	if s.from != "" {
		condition, values = aws.String("v = :from"), text(":from", s.from)
	}
	var err error
	if s.to == "" {
		_, err = c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: table, Key: key, ConditionExpression: condition,
			ExpressionAttributeValues: values})
	} else {
		_, err = c.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: text("pk", s.key, "v", s.to),
			ConditionExpression: condition, ExpressionAttributeValues: values})
	}
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return swapped{}, nil
	}
	return swapped{done: err == nil}, err
}
