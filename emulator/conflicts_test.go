package emulator_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// during runs a request that a fault holds, and meanwhile runs a function.
func (c counter) during(t *testing.T, request func() error, meanwhile func()) error {
	t.Helper()
	remove := c.fail(t, emulator.Fault{Do: emulator.DoHold, Latency: time.Minute, Times: 1})
	defer remove()
	done := make(chan error)
	go func() { done <- request() }()
	c.await(1)
	meanwhile()
	if err := c.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	return <-done
}

// reasons returns the cancellation reason codes of a transaction.
func reasons(err error) (codes []string) {
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		for _, r := range cancelled.CancellationReasons {
			codes = append(codes, aws.ToString(r.Code)+" "+aws.ToString(r.Message))
		}
	}
	return codes
}

func readAll(ids ...string) *dynamodb.TransactGetItemsInput {
	in := &dynamodb.TransactGetItemsInput{}
	for _, id := range ids {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: aws.String("counters"),
			Key: counterKey(id)}})
	}
	return in
}

// TestConflictsWithTransactWriteItems sends every kind of request during a transaction on the same item.
func TestConflictsWithTransactWriteItems(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.Conflicts))
	ctx := context.WithoutCancel(t.Context())
	transaction := func() error { _, err := c.db.TransactWriteItems(ctx, incrementAll("first", "a", "b")); return err }
	err := c.during(t, transaction, func() {
		if _, err := c.db.UpdateItem(ctx, increment("a")); code(err) != "TransactionConflictException" {
			t.Errorf("a write is %v", err)
		}
		_, err := c.db.TransactWriteItems(ctx, incrementAll("second", "x", "b"))
		if got := reasons(err); len(got) != 2 || got[0] != "None " ||
			got[1] != "TransactionConflict Transaction is ongoing for the item" {
			t.Errorf("a transaction is %v, %v", got, err)
		}
		_, err = c.db.TransactGetItems(ctx, readAll("a"))
		if got := reasons(err); len(got) != 1 || got[0] != "TransactionConflict Transaction is ongoing for the item" {
			t.Errorf("a transaction of reads is %v, %v", got, err)
		}
		if _, err := c.db.TransactWriteItems(ctx, incrementAll("first", "a",
			"b")); code(err) != "TransactionInProgressException" {
			t.Errorf("the same request is %v", err)
		}
		put := func(id string) types.WriteRequest {
			return types.WriteRequest{PutRequest: &types.PutRequest{Item: counterKey(id)}}
		}
		batch, err := c.db.BatchWriteItem(ctx,
			&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"counters": {put("a"), put("y")}}})
		if err != nil || len(batch.UnprocessedItems["counters"]) != 1 {
			t.Errorf("a batch is %v, %v", batch, err)
		}
		if got := c.value(t, "a", true); got != "0" {
			t.Errorf("a read sees %s", got)
		}
		if _, err := c.db.UpdateItem(ctx, increment("z")); err != nil {
			t.Errorf("a write elsewhere is %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := transaction(); err != nil { // it is done already, and nothing conflicts with it
		t.Error(err)
	}
	if _, err := c.db.TransactWriteItems(ctx,
		incrementAll("first", "b")); code(err) != "IdempotentParameterMismatchException" {
		t.Errorf("another request with the token is %v", err)
	}
	for id, want := range map[string]string{"a": "1", "b": "1", "x": "0", "z": "1"} {
		if got := c.value(t, id, true); got != want {
			t.Errorf("%s stands at %s", id, got)
		}
	}
}

// TestReplayedTransactionsDoNotConflict repeats a finished transaction while another one uses its item.
func TestReplayedTransactionsDoNotConflict(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.Conflicts))
	ctx := context.WithoutCancel(t.Context())
	first := func() error { _, err := c.db.TransactWriteItems(ctx, incrementAll("first", "a")); return err }
	if err := first(); err != nil {
		t.Fatal(err)
	}
	err := c.during(t, func() error {
		_, err := c.db.TransactWriteItems(ctx, incrementAll("second", "a"))
		return err
	}, func() {
		if err := first(); err != nil {
			t.Errorf("the repetition is %v", err)
		}
	})
	if got := c.value(t, "a", true); err != nil || got != "2" {
		t.Errorf("the counter stands at %s, %v", got, err)
	}
}

func TestConflictsWithAWrite(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.Conflicts))
	ctx := context.WithoutCancel(t.Context())
	err := c.during(t, func() error { _, err := c.db.UpdateItem(ctx, increment("a")); return err }, func() {
		if _, err := c.db.UpdateItem(ctx, increment("a")); err != nil {
			t.Errorf("another write is %v", err)
		}
		if _, err := c.db.TransactWriteItems(ctx, incrementAll("first", "a")); len(reasons(err)) != 1 {
			t.Errorf("a transaction is %v", err)
		}
		if _, err := c.db.TransactGetItems(ctx, readAll("b", "a")); len(reasons(err)) != 2 {
			t.Errorf("a transaction of reads is %v", err)
		}
	})
	if got := c.value(t, "a", true); err != nil || got != "2" {
		t.Errorf("the counter stands at %s, %v", got, err)
	}
}

// TestConflictsWithTransactGetItems checks that TransactGetItems fails in a conflict, not the write.
func TestConflictsWithTransactGetItems(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithManualClock(noon), emulator.WithLikeCloud(emulator.Conflicts))
	ctx := context.WithoutCancel(t.Context())
	err := c.during(t, func() error { _, err := c.db.TransactGetItems(ctx, readAll("a", "b")); return err }, func() {
		if _, err := c.db.TransactGetItems(ctx, readAll("a")); err != nil {
			t.Errorf("other reads are %v", err)
		}
		if _, err := c.db.TransactWriteItems(ctx, incrementAll("first", "b")); err != nil {
			t.Errorf("a transaction is %v", err)
		}
	})
	if got := reasons(err); len(got) != 2 || got[0] != "None " ||
		got[1] != "TransactionConflict Transaction is ongoing for the item" {
		t.Errorf("the reads are %v, %v", got, err)
	}
	if _, err := c.db.TransactGetItems(ctx, readAll("a", "b")); err != nil {
		t.Errorf("then the reads are %v", err)
	}
}

// TestStrictTransactionsWait checks that without Conflicts one transaction waits for the other.
func TestStrictTransactionsWait(t *testing.T) {
	t.Parallel()
	c := newCounter(t)
	done := make(chan error)
	const writers, each = 4, 25
	for range writers {
		go func() {
			for range each {
				in := incrementAll("", "a", "b")
				in.ClientRequestToken = nil
				if _, err := c.db.TransactWriteItems(context.WithoutCancel(t.Context()), in); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := c.value(t, "b", true); got != "100" {
		t.Errorf("the counter stands at %s", got)
	}
}

// TestMoneyIsConserved runs concurrent transfers among few accounts, with retries of conflicts and with all pieces of
// the cloud's behaviour that affect them: the total stays the same, and TransactGetItems never sees half a transfer.
func TestMoneyIsConserved(t *testing.T) {
	t.Parallel()
	c := newCounter(t, emulator.WithLikeCloud(emulator.Conflicts, emulator.Lag))
	ctx := context.WithoutCancel(t.Context())
	const writers, each = 6, 40
	done := make(chan error, writers)
	for w := range writers {
		go func() {
			var err error
			for i := 0; i < each && err == nil; i++ {
				err = c.transfer(ctx, string(rune('a'+(w+i)%3)), string(rune('a'+(w+i+1)%3)))
			}
			done <- err
		}()
	}
	for finished := 0; finished < writers; {
		select {
		case err := <-done:
			if finished++; err != nil {
				t.Fatal(err)
			}
		default:
			c.checkSum(t)
		}
	}
	c.checkSum(t)
	if got := c.value(t, "n", true); got != "240" {
		t.Errorf("%s transfers were made", got)
	}
}

// transfer moves one unit from one counter to another, and counts it, retrying until there is no conflict.
func (c counter) transfer(ctx context.Context, from, to string) error {
	for {
		in := incrementAll("", from, to, "n")
		in.ClientRequestToken = nil
		in.TransactItems[0].Update.ExpressionAttributeValues = map[string]types.AttributeValue{
			":one": &types.AttributeValueMemberN{Value: "-1"}}
		_, err := c.db.TransactWriteItems(ctx, in)
		if err == nil || len(reasons(err)) == 0 {
			return err
		}
	}
}

func (c counter) checkSum(t *testing.T) {
	t.Helper()
	_ = c.value(t, "a", false) // any earlier value
	out, err := c.db.TransactGetItems(t.Context(), readAll("a", "b", "c"))
	if len(reasons(err)) > 0 {
		return // it conflicted with a transfer
	}
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, r := range out.Responses {
		if v, ok := r.Item["n"].(*types.AttributeValueMemberN); ok {
			n, err := strconv.Atoi(v.Value)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	if sum != 0 {
		t.Fatalf("the sum is %d", sum)
	}
}
