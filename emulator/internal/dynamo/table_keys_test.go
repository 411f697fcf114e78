package dynamo

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// fakeKMS is a KMS whose keys are names; it encrypts by prefixing the name.
type fakeKMS struct {
	disabled map[string]bool
	broken   bool // CheckTableKey panics
	watchers []func()
}

type fakeKMSError struct{ arn string }

func (e fakeKMSError) Error() string               { return e.arn + " is disabled." }
func (e fakeKMSError) Exception() (string, string) { return "DisabledException", e.Error() }

func (k *fakeKMS) TableKeyARN(_, ref string) (string, error) { return ref, k.CheckTableKey("", ref) }

func (k *fakeKMS) CheckTableKey(_, arn string) error {
	if k.broken {
		panic("broken")
	}
	if k.disabled[arn] {
		return fakeKMSError{arn}
	}
	return nil
}

func (k *fakeKMS) EncryptTableKey(_, arn string, plain []byte, context map[string]string) ([]byte, error) {
	return append([]byte(arn+fmt.Sprint(context)), plain...), k.CheckTableKey("", arn)
}

func (k *fakeKMS) DecryptTableKey(_, arn string, sealed []byte, context map[string]string) ([]byte, error) {
	plain, ok := bytes.CutPrefix(sealed, []byte(arn+fmt.Sprint(context)))
	if !ok {
		return nil, errors.New("it was sealed by another key")
	}
	return plain, k.CheckTableKey("", arn)
}

func (k *fakeKMS) Watch(fn func()) { k.watchers = append(k.watchers, fn) }

func (k *fakeKMS) setDisabled(arn string, off bool) {
	k.disabled[arn] = off
	for _, fn := range k.watchers {
		fn()
	}
}

// encryptedService is a store in a folder with a service on it.
type encryptedService struct {
	t     *testing.T
	store *store.Store
	keys  *fakeKMS
	clock *clock.Clock
	*Service
}

func newEncryptedService(t *testing.T, dir string) *encryptedService {
	t.Helper()
	state, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	v := &encryptedService{t: t, store: state, keys: &fakeKMS{disabled: map[string]bool{}},
		clock: clock.Manual(time.Unix(1000, 0))}
	v.restart()
	return v
}

// restart starts another service on the store, as after a crash.
func (v *encryptedService) restart() {
	v.t.Helper()
	v.store.SetSealer(nil)
	v.keys.watchers = nil
	var err error
	if v.Service, err = New(Config{Store: v.store, Clock: v.clock, KMS: v.keys}); err != nil {
		v.t.Fatal(err)
	}
}

func (v *encryptedService) call(name, body string) { v.t.Helper(); mustRun(v.t, v.Service, name, body) }

const encryptedTable = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
	"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}%s}`

const byKeyA = `,"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-a"}`

func (v *encryptedService) createTable(encryption string) {
	v.call("CreateTable", fmt.Sprintf(encryptedTable, encryption))
}

func (v *encryptedService) fill(from, to int) {
	v.t.Helper()
	for i := from; i < to; i++ {
		v.call("PutItem",
			fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"Oslo"},"note":{"S":"recognisable"}}}`, i))
	}
}

// unsealedValues counts the values that are stored unsealed, by the first byte of their keys.
func (v *encryptedService) unsealedValues() map[byte]int {
	v.t.Helper()
	found := map[byte]int{}
	snapshot, err := v.store.Snapshot() // which does not open sealed values
	if err != nil {
		v.t.Fatal(err)
	}
	other, err := store.Open(store.Options{})
	if err != nil {
		v.t.Fatal(err)
	}
	defer other.Close()
	if err := other.Restore(snapshot); err != nil {
		v.t.Fatal(err)
	}
	err = other.View(func(r *store.Reader) error {
		it := r.Iter(nil, nil, false)
		for it.Next() {
			if bytes.Contains(it.Value(), []byte("recognisable")) {
				found[it.Key()[0]]++
			}
		}
		return it.Close()
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return found
}

// wantItems checks that the table and its index have n items, all complete.
func (v *encryptedService) wantItems(n int) {
	v.t.Helper()
	for _, index := range []string{"", `,"IndexName":"by-city"`} {
		out, err := runOperation(v.Service, requestFor(v.engine.SharedAccount.Load()), "Scan",
			[]byte(`{"TableName":"orders"`+index+`}`), nil)
		if err != nil {
			v.t.Fatal(err)
		}
		if got := strings.Count(string(out), "recognisable"); got != n {
			v.t.Errorf("%d items are there%s, want %d", got, index, n)
		}
	}
}

func TestItemsOfAnEncryptedTableAreSealed(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 5)
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.wantItems(5)
	v.restart()
	v.wantItems(5)
	v.fill(3, 8)
	v.wantItems(8)
}

func TestValuesInMemoryAreNotSealed(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, "")
	v.createTable(byKeyA)
	v.fill(0, 5)
	if found := v.unsealedValues(); found[engine.SpaceItems] != 10 {
		t.Errorf("values lie open: %v", found)
	}
}

func TestExistingItemsAreSealedWhenEncryptionIsEnabled(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable("")
	v.fill(0, 5)
	if found := v.unsealedValues(); found[engine.SpaceItems] != 10 || found[engine.SpaceLog] != 5 {
		t.Errorf("values lie open: %v", found)
	}
	v.call("UpdateTable", `{"TableName":"orders"`+byKeyA+`}`)
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.call("UpdateTable", `{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}`)
	v.call("UpdateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":
		{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values of a new index lie open: %v", found)
	}
	v.restart()
	v.wantItems(5)
}

// TestInterruptedSealingIsFinishedAtStart simulates a crash between the definition and the sealing of existing items.
func TestInterruptedSealingIsFinishedAtStart(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable("")
	v.fill(0, 5)
	a := v.engine.SharedAccount.Load()
	former, err := a.NamedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	def := former.Def.Clone()
	def.SSE = &engine.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: "key-a"}
	if _, err := a.Publish(t.Context(), def, nil); err != nil {
		t.Fatal(err)
	}
	v.fill(3, 6) // some of them sealed, some not
	v.wantItems(6)
	v.restart()
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.wantItems(6)
}

func TestTheKMSKeyOfATableCanChange(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 2)
	for i, to := range []string{`"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-b"`, `"Enabled":false`,
		`"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-c"`} {
		v.call("UpdateTable", `{"TableName":"orders","SSESpecification":{`+to+`}}`)
		v.fill(2+i, 3+i)
		v.restart()
		v.wantItems(3 + i)
	}
	v.keys.setDisabled("key-a", true)
	v.keys.setDisabled("key-b", true)
	v.restart()
	v.wantItems(5)
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.keys.setDisabled("key-c", true)
	v.restart()
	if _, err := v.engine.SharedAccount.Load().Table("orders"); err == nil {
		t.Error("the table can be read without its key")
	}
	v.keys.setDisabled("key-c", false)
	v.wantItems(5)
	if table, _ := v.engine.SharedAccount.Load().NamedTable("orders"); table.Stats.Items.Load() != 5 ||
		table.Indexes[0].Stats.Items.Load() != 5 {
		t.Errorf("%d items are counted", table.Stats.Items.Load())
	}
}

// TestBackupsOfAnEncryptedTableAreSealed restores a backup to a table with the same key, and one after its table was
// deleted.
func TestBackupsOfAnEncryptedTableAreSealed(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 5)
	v.call("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	v.call("UpdateContinuousBackups",
		`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	v.fill(5, 6)
	v.call("DeleteTable", `{"TableName":"orders"}`)
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values of backups lie open: %v", found)
	}
	v.restart()
	for arn, b := range backupsOf(v.engine.SharedAccount.Load()).All() {
		items := map[string]int{backup.UserBackup: 5, backup.SystemBackup: 6}[b.Type]
		v.keys.setDisabled("key-a", true)
		request := fmt.Sprintf(`{"TargetTableName":"orders","BackupArn":"%s"}`, arn)
		if _, err := runOperation(v.Service, requestFor(v.engine.SharedAccount.Load()), "RestoreTableFromBackup",
			[]byte(request), nil); err == nil || !strings.Contains(err.Error(), "key-a is disabled") {
			t.Errorf("%s: restored without its key: %v", b.Type, err)
		}
		v.keys.setDisabled("key-a", false)
		v.call("RestoreTableFromBackup", request)
		v.wantItems(items)
		if found := v.unsealedValues(); len(found) != 0 {
			t.Errorf("%s: values of the restored table lie open: %v", b.Type, found)
		}
		v.restart()
		v.wantItems(items)
		v.call("DeleteTable", `{"TableName":"orders"}`)
	}
}

// TestPanickingKeyChecksAreRetried makes the check panic that archives a table a week after its key was disabled.
func TestPanickingKeyChecksAreRetried(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.keys.setDisabled("key-a", true)
	for _, c := range []struct {
		broken bool
		by     time.Duration
		want   string
	}{{true, 7 * 24 * time.Hour, "INACCESSIBLE_ENCRYPTION_CREDENTIALS"}, {false, time.Minute, "ARCHIVED"}} {
		v.keys.broken = c.broken
		if err := v.clock.Advance(c.by); err != nil {
			t.Fatal(err)
		}
		out, err := runOperation(v.Service, requestFor(v.engine.SharedAccount.Load()), "DescribeTable",
			[]byte(`{"TableName":"orders"}`), nil)
		if err != nil || !strings.Contains(string(out), `"TableStatus":"`+c.want+`"`) {
			t.Errorf("after %v the table is %s, %v, not %s", c.by, out, err, c.want)
		}
	}
}

// TestPanickingTransitionsEnd checks that a table does not stay in a transitional state whose end panics.
func TestPanickingTransitionsEnd(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable("")
	a := v.engine.SharedAccount.Load()
	control.BeginTransition(a, "orders", &control.Transition{}, time.Second, func() error { panic("broken") })
	if err := v.clock.Advance(time.Second); err != nil {
		t.Fatal(err)
	}
	if control.TransitionOf(a, "orders") != nil {
		t.Error("the table is still in its transitional state")
	}
}
