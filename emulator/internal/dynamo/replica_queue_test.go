package dynamo

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestWritesDoNotReadTheQueueOfAnUnavailableReplica writes to a global table one of whose replicas has a disabled key:
// nothing reads the queue before the key is enabled.
func TestWritesDoNotReadTheQueueOfAnUnavailableReplica(t *testing.T) {
	t.Parallel()
	var pauses atomic.Int64
	state, err := store.Open(store.Options{Pause: func() { pauses.Add(1) }})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now, keys := clock.Manual(time.Unix(1000, 0)), &fakeKMS{disabled: map[string]bool{}}
	s, err := New(Config{Store: state, Clock: now, KMS: keys, Spaces: accounts.Spaces{Regions: []string{"eu-west-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", fmt.Sprintf(encryptedTable, byKeyA))
	mustRun(t, s, "UpdateTable",
		`{"TableName":"orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1","KMSMasterKeyId":"key-b"}}]}`)
	keys.setDisabled("key-b", true)
	advance(t, now, 0)
	mustRun(t, s, "PutItem", `{"TableName":"orders","Item":{"id":{"S":"a"}}}`)
	pauses.Store(0)
	advance(t, now, 0)
	if n := pauses.Load(); n != 0 {
		t.Errorf("after a write, the store is used (%d pauses)", n)
	}
	keys.setDisabled("key-b", false)
	replica := requestFor(s.accountOf(accounts.Scope{Region: "eu-west-1"}, nil))
	answer, err := runOperation(s, replica, "Scan", []byte(`{"TableName":"orders"}`), nil)
	if err != nil || !strings.Contains(string(answer), `"Count":1,`) {
		t.Errorf("the replica has %s, %v", answer, err)
	}
}
