package ddb

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// limitedBatcher is a Batcher that processes at most a fixed number of members per request, and records the sizes of
// requests.
type limitedBatcher struct {
	limit  int
	sizes  []int
	stored map[string]bool
}

func (s *limitedBatcher) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput,
	_ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	keys := in.RequestItems["t"].Keys
	s.sizes = append(s.sizes, len(keys))
	done := min(s.limit, len(keys))
	return &dynamodb.BatchGetItemOutput{
		Responses:       map[string][]map[string]types.AttributeValue{"t": keys[:done]},
		UnprocessedKeys: map[string]types.KeysAndAttributes{"t": {Keys: keys[done:]}},
	}, nil
}

func (s *limitedBatcher) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput,
	_ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	writes := in.RequestItems["t"]
	s.sizes = append(s.sizes, len(writes))
	done := min(s.limit, len(writes))
	for _, w := range writes[:done] {
		s.stored[Text(w.PutRequest.Item["id"])] = true
	}
	return &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{"t": writes[done:]}}, nil
}

// TestBatches checks that requests hold 100 keys or 25 writes, and that the rest is retried after pauses that double.
func TestBatches(t *testing.T) {
	t.Parallel()
	var pauses []time.Duration
	wait := func(_ context.Context, d time.Duration) error { pauses = append(pauses, d); return nil }
	var keys []Item
	var writes []types.WriteRequest
	for i := range 130 {
		item := Item{"id": Str(fmt.Sprint(i))}
		keys, writes = append(keys, item), append(writes, Put(item))
	}
	s := &limitedBatcher{limit: 40, stored: map[string]bool{}}
	items, err := GetAll(t.Context(), s, "t", keys, wait)
	if err != nil || len(items) != 130 || fmt.Sprint(s.sizes) != "[100 60 20 30]" || !isBackoff(pauses, 2) {
		t.Errorf("%d items, %v, sizes %v, pauses %v", len(items), err, s.sizes, pauses)
	}
	s.sizes, s.limit = nil, 15
	if err := WriteAll(t.Context(), s, "t", writes, wait); err != nil || len(s.stored) != 130 || s.sizes[0] != 25 ||
		s.sizes[1] != 10 {
		t.Errorf("%d stored, %v, sizes %v", len(s.stored), err, s.sizes)
	}
	if err := WriteAll(t.Context(), s, "t", nil, wait); err != nil {
		t.Error(err)
	}
}

// isBackoff reports whether there are n pauses that are randomized around 25 ms, 50 ms and so on.
func isBackoff(pauses []time.Duration, n int) bool {
	mean := 25 * time.Millisecond
	for _, d := range pauses {
		if d < mean/2 || d > mean*3/2+1 {
			return false
		}
		mean *= 2
	}
	return len(pauses) == n
}

// TestBatchesGiveUp checks that a service that processes nothing in 12 attempts is too busy, and that the end of the
// context ends the wait.
func TestBatchesGiveUp(t *testing.T) {
	t.Parallel()
	s, keys := &limitedBatcher{}, []Item{{"id": Str("1")}}
	if _, err := GetAll(t.Context(), s, "t", keys, func(context.Context, time.Duration) error {
		return nil
	}); !errors.Is(err, ErrBusy) || len(s.sizes) != maxAttempts {
		t.Errorf("%v after %d tries", err, len(s.sizes))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wait := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	if err := WriteAll(ctx, s, "t", []types.WriteRequest{Put(keys[0])}, wait); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
