package dynamo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// undecryptingKMS is a KMS that fails to decrypt the table keys of one of its keys.
type undecryptingKMS struct {
	*fakeKMS
	failing string
}

func (k *undecryptingKMS) DecryptTableKey(account, arn string, sealed []byte,
	context map[string]string) ([]byte, error) {
	if arn == k.failing {
		return nil, errors.New("KMS cannot be reached")
	}
	return k.fakeKMS.DecryptTableKey(account, arn, sealed, context)
}

// TestReplicasRecoverBesideAFailedCheckOfAnotherKey enables the keys of a replica and of another table at once, which
// cannot be checked: the replica has the writes that waited for its key.
func TestReplicasRecoverBesideAFailedCheckOfAnotherKey(t *testing.T) {
	t.Parallel()
	state, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now, keys := clock.Manual(time.Unix(1000, 0)), &undecryptingKMS{fakeKMS: &fakeKMS{disabled: map[string]bool{}}}
	c := Config{Store: state, Clock: now, KMS: keys, Spaces: accounts.Spaces{Regions: []string{"eu-west-1"}}}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, s, "CreateTable", fmt.Sprintf(encryptedTable, byKeyA))
	mustRun(t, s, "UpdateTable",
		`{"TableName":"orders","ReplicaUpdates":[{"Create":{"RegionName":"eu-west-1","KMSMasterKeyId":"key-b"}}]}`)
	mustRun(t, s, "CreateTable", strings.NewReplacer("orders", "others", "key-a", "key-c").Replace(
		fmt.Sprintf(encryptedTable, byKeyA)))
	keys.setDisabled("key-c", true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	state.SetSealer(nil)
	keys.watchers = nil
	if s, err = New(c); err != nil { // the key of others is not decrypted
		t.Fatal(err)
	}
	defer s.Close()
	keys.setDisabled("key-b", true)
	mustRun(t, s, "PutItem", `{"TableName":"orders","Item":{"id":{"S":"a"}}}`)
	advance(t, now, 0)
	keys.failing, keys.disabled["key-c"] = "key-c", false
	keys.setDisabled("key-b", false)
	replica := requestFor(s.accountOf(accounts.Scope{Region: "eu-west-1"}, nil))
	answer, err := runOperation(s, replica, "Scan", []byte(`{"TableName":"orders"}`), nil)
	if err != nil || !strings.Contains(string(answer), `"Count":1,`) {
		t.Errorf("the replica has %s, %v", answer, err)
	}
}
