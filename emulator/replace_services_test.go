package emulator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestStreamsCreatedDuringARestoreAreTheirOwn creates Kinesis streams while snapshots are restored. Every stream has
// only its own records afterwards, although the restored state numbers new streams from the start again.
func TestStreamsCreatedDuringARestoreAreTheirOwn(t *testing.T) {
	t.Parallel()
	const workers, restores, before, streams = 4, 20, 20, 15
	e := emulator.Run(t)
	for i := range before {
		callKinesis(t, e.DynamoDBURL(), "CreateStream", fmt.Sprintf(`{"StreamName":"before-%d","ShardCount":1}`, i))
	}
	snapshot, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var creating sync.WaitGroup
	done := make(chan struct{})
	for worker := range workers {
		creating.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				// Most of them already exist and are refused.
				request := fmt.Sprintf(`{"StreamName":"s-%d-%d","ShardCount":1}`, worker, i%streams)
				_, _ = postKinesis(t.Context(), e.DynamoDBURL(), "CreateStream", request)
			}
		})
	}
	for range restores {
		if err := errors.Join(e.Reset(), e.Restore(snapshot)); err != nil {
			t.Error(err)
		}
		checkStreams(t, e.DynamoDBURL(), before)
	}
	close(done)
	creating.Wait()
}

// checkStreams puts a record into each of at least n streams and reads it.
func checkStreams(t *testing.T, url string, n int) {
	t.Helper()
	var list struct{ StreamNames []string }
	if err := json.Unmarshal([]byte(callKinesis(t, url, "ListStreams", `{"Limit":1000}`)), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.StreamNames) < n {
		t.Fatalf("the streams are %v", list.StreamNames)
	}
	for _, name := range list.StreamNames {
		callKinesis(t, url, "PutRecord", `{"StreamName":"`+name+`","PartitionKey":"`+name+`","Data":"eA=="}`)
	}
	for _, name := range list.StreamNames {
		if records := readKinesis(t, url, name); len(records) != 1 || records[0].PartitionKey != name {
			t.Errorf("%s has the records %v", name, records)
		}
	}
}
