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

// TestTimeToLiveDoesNotChangeWhileAReplicaIsAdded enables the time to live of a table whose new replica is hidden: it
// is refused, and afterwards enabled in both regions.
func TestTimeToLiveDoesNotChangeWhileAReplicaIsAdded(t *testing.T) {
	t.Parallel()
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	s, err := New(Config{Store: openMemory(t), Clock: now, States: true,
		Spaces: accounts.Spaces{Regions: []string{"eu-west-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	advance(t, now, time.Minute)
	mustRun(t, s, "UpdateTable", `{"TableName":"sessions","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1"}}]}`)
	enable := `{"TableName":"sessions","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`
	wantError(t, s, "UpdateTimeToLive", enable,
		"ResourceInUseException: The resource which you are attempting to change is in use.")
	advance(t, now, time.Hour)
	mustRun(t, s, "UpdateTimeToLive", enable)
	replica := requestFor(s.accountOf(accounts.Scope{Region: "eu-west-1"}, nil))
	answer, err := runOperation(s, replica, "DescribeTimeToLive", []byte(`{"TableName":"sessions"}`), nil)
	if err != nil || !strings.Contains(string(answer), `"TimeToLiveStatus":"ENABLED"`) {
		t.Errorf("the replica's time to live is %s, %v", answer, err)
	}
}
