package dynamo

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// sealedOrders is a table without a stream that is encrypted by a KMS key.
var sealedOrders = strings.TrimSuffix(orders, "}") + byKeyA + "}"

// TestTheKeyOfATableThatIsBeingBackedUpStays deletes a table before its backup has items, and lets the keys of deleted
// tables be removed.
func TestTheKeyOfATableThatIsBeingBackedUpStays(t *testing.T) {
	t.Parallel()
	pool, armed, steps := budget.NewPool(budget.DefaultPool), new(atomic.Bool), func() {}
	state, err := store.Open(store.Options{Dir: t.TempDir(), Pause: func() {
		if pool.Pacing() && armed.CompareAndSwap(true, false) {
			steps()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	v := &encryptedService{t: t, store: state, clock: clock.Manual(time.Unix(1000, 0)), keys: &fakeKMS{}}
	if v.Service, err = New(Config{Store: state, Clock: v.clock, Pool: pool, KMS: v.keys}); err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	v.call("CreateTable", sealedOrders)
	v.fill(0, 1)
	steps = func() {
		v.call("DeleteTable", `{"TableName":"orders"}`)
		if err := v.clock.Advance(2 * engine.RemovalInterval); err != nil {
			t.Error(err)
		}
	}
	armed.Store(true)
	v.call("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	if armed.Load() {
		t.Error("the table was not deleted during its backup")
	}
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.call("RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":"`+onlyBackup(t, v.Service).ARN+`"}`)
	answer := answerTo(t, v.Service, "Scan", `{"TableName":"restored"}`)
	if !strings.Contains(answer, "recognisable") {
		t.Errorf("the restored table has %s", answer)
	}
}

// TestTheKeysOfForgottenAccountsAreRemoved deletes the only table of an account, before and after a restart.
func TestTheKeysOfForgottenAccountsAreRemoved(t *testing.T) {
	t.Parallel()
	state, err := store.Open(store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now := clock.Manual(time.Unix(1000, 0))
	open := func() *Service {
		s, err := New(Config{Store: state, Clock: now, KMS: &fakeKMS{}, Spaces: accounts.Spaces{Isolate: true}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	for i := range 4 {
		who := accounts.Scope{AccessKey: fmt.Sprintf("KEY%d", i), Region: accounts.DefaultRegion}
		for _, request := range []struct{ operation, body string }{{"CreateTable", sealedOrders},
			{"DeleteTable", `{"TableName":"orders"}`}} {
			if _, err := runOperation(s, requestFor(s.accountOf(who, nil)), request.operation, []byte(request.body),
				nil); err != nil {
				t.Fatal(request.operation, err)
			}
		}
		if i%2 == 1 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open()
		}
		if err := now.Advance(time.Duration(i) * engine.RemovalInterval); err != nil {
			t.Fatal(err)
		}
	}
	defer s.Close()
	if err := now.Advance(2 * engine.RemovalInterval); err != nil {
		t.Fatal(err)
	}
	if n := keysUnder(t, state, []byte{engine.SpaceKeys}); n != 0 {
		t.Errorf("%d keys are left of the deleted tables", n)
	}
	if n := len(s.engine.Accounts); n != 1 {
		t.Errorf("%d accounts are kept, want only the shared one", n)
	}
}

// TestSealedKeySpacesAreForgotten makes and removes what the key of a table seals besides its items: backups, temporary
// copies and indexes.
func TestSealedKeySpacesAreForgotten(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 2)
	table, err := v.engine.SharedAccount.Load().Table("orders")
	if err != nil {
		t.Fatal(err)
	}
	spaces := func() int {
		return reflect.ValueOf(v.Service.keys).Elem().FieldByName("TableKeys").FieldByName("tableIDs").Len()
	}
	want := spaces()
	v.call("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	v.call("DeleteBackup", `{"BackupArn":"`+onlyBackup(t, v.Service).ARN+`"}`)
	if err := backup.WithScratch(v.engine.SharedAccount.Load(), table, func([]byte) error { return nil }); err != nil {
		t.Fatal(err)
	}
	v.call("UpdateTable", `{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}`)
	if got := spaces(); got != want-1 {
		t.Errorf("%d ranges of keys are sealed, want %d", got, want-1)
	}
}

// TestABackupThatCouldNotBeDeletedKeepsItsKey deletes the backup of a deleted table, whose commit fails, and lets the
// keys of deleted tables be removed.
func TestABackupThatCouldNotBeDeletedKeepsItsKey(t *testing.T) {
	t.Parallel()
	const pausesToCommit = 2 // see store.Options.Pause
	var left atomic.Int32
	state, err := store.Open(store.Options{Dir: t.TempDir(), Pause: func() {
		if left.Add(-1) == 0 {
			panic("the commit fails")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	v := &encryptedService{t: t, store: state, clock: clock.Manual(time.Unix(1000, 0)), keys: &fakeKMS{}}
	v.restart()
	defer v.Close()
	v.call("CreateTable", sealedOrders)
	v.fill(0, 1)
	v.call("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	v.call("DeleteTable", `{"TableName":"orders"}`)
	b := onlyBackup(t, v.Service)
	backups := []byte{engine.SpaceBackups}
	names := state.Names().In(backups, store.PrefixEnd(backups))
	left.Store(pausesToCommit)
	if err := panics.AsError("the deletion", func() error {
		_, err := runOperation(v.Service, requestFor(v.engine.SharedAccount.Load()), "DeleteBackup",
			[]byte(`{"BackupArn":"`+b.ARN+`"}`), nil)
		return err
	}); err == nil {
		t.Fatal("the backup was deleted")
	}
	if err := v.clock.Advance(48 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if got := state.Names().In(backups, store.PrefixEnd(backups)); !slices.Equal(got, names) {
		t.Errorf("the stored backups are named %q, want %q", got, names)
	}
	v.call("RestoreTableFromBackup", `{"TargetTableName":"restored","BackupArn":"`+b.ARN+`"}`)
	if answer := answerTo(t, v.Service, "Scan", `{"TableName":"restored"}`); !strings.Contains(answer, "recognisable") {
		t.Errorf("the restored table has %s", answer)
	}
}
