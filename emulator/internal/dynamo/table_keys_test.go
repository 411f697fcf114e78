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

// fakeKeys is a KMS whose keys are names; it encrypts by prefixing the name.
type fakeKeys struct {
	off    map[string]bool
	broken bool // CheckTableKey panics
	watch  []func()
}

type fakeRefusal struct{ arn string }

func (e fakeRefusal) Error() string               { return e.arn + " is disabled." }
func (e fakeRefusal) Exception() (string, string) { return "DisabledException", e.Error() }

func (k *fakeKeys) TableKeyARN(_, ref string) (string, error) { return ref, k.CheckTableKey("", ref) }

func (k *fakeKeys) CheckTableKey(_, arn string) error {
	if k.broken {
		panic("broken")
	}
	if k.off[arn] {
		return fakeRefusal{arn}
	}
	return nil
}

func (k *fakeKeys) EncryptTableKey(_, arn string, plain []byte, context map[string]string) ([]byte, error) {
	return append([]byte(arn+fmt.Sprint(context)), plain...), k.CheckTableKey("", arn)
}

func (k *fakeKeys) DecryptTableKey(_, arn string, sealed []byte, context map[string]string) ([]byte, error) {
	plain, ok := bytes.CutPrefix(sealed, []byte(arn+fmt.Sprint(context)))
	if !ok {
		return nil, errors.New("it was sealed by another key")
	}
	return plain, k.CheckTableKey("", arn)
}

func (k *fakeKeys) Watch(fn func()) { k.watch = append(k.watch, fn) }

func (k *fakeKeys) turn(arn string, off bool) {
	k.off[arn] = off
	for _, fn := range k.watch {
		fn()
	}
}

// vaulted is a store in a folder with a service on it.
type vaulted struct {
	t     *testing.T
	store *store.Store
	keys  *fakeKeys
	clock *clock.Clock
	*Service
}

func newVaulted(t *testing.T, dir string) *vaulted {
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
	v := &vaulted{t: t, store: state, keys: &fakeKeys{off: map[string]bool{}}, clock: clock.Manual(time.Unix(1000, 0))}
	v.restart()
	return v
}

// restart starts another service on the store, as after a crash.
func (v *vaulted) restart() {
	v.t.Helper()
	v.store.SetSealer(nil)
	v.keys.watch = nil
	var err error
	if v.Service, err = New(Config{Store: v.store, Clock: v.clock, KMS: v.keys}); err != nil {
		v.t.Fatal(err)
	}
}

func (v *vaulted) ask(name, body string) { v.t.Helper(); ask(v.t, v.Service, name, body) }

const vaultTable = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST",
	"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],
	"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"}%s}`

const byKeyA = `,"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-a"}`

func (v *vaulted) make(encryption string) { v.ask("CreateTable", fmt.Sprintf(vaultTable, encryption)) }

func (v *vaulted) fill(from, to int) {
	v.t.Helper()
	for i := from; i < to; i++ {
		v.ask("PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"Oslo"},"note":{"S":"recognisable"}}}`, i))
	}
}

// plain counts the values that are stored unsealed, by the first byte of their keys.
func (v *vaulted) plain() map[byte]int {
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
func (v *vaulted) wantItems(n int) {
	v.t.Helper()
	for _, index := range []string{"", `,"IndexName":"by-city"`} {
		out, err := do(v.Service, as(v.engine.SharedAccount.Load()), "Scan", []byte(`{"TableName":"orders"`+index+`}`), nil)
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
	v := newVaulted(t, t.TempDir())
	v.make(byKeyA)
	v.fill(0, 5)
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.wantItems(5)
	v.restart()
	v.wantItems(5)
	v.fill(3, 8)
	v.wantItems(8)
}

func TestInMemoryNothingIsSealed(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, "")
	v.make(byKeyA)
	v.fill(0, 5)
	if found := v.plain(); found[engine.SpaceItems] != 10 {
		t.Errorf("values lie open: %v", found)
	}
}

func TestATableIsSealedLater(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make("")
	v.fill(0, 5)
	if found := v.plain(); found[engine.SpaceItems] != 10 || found[engine.SpaceLog] != 5 {
		t.Errorf("values lie open: %v", found)
	}
	v.ask("UpdateTable", `{"TableName":"orders"`+byKeyA+`}`)
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.ask("UpdateTable", `{"TableName":"orders","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}`)
	v.ask("UpdateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":
		{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`)
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values of a new index lie open: %v", found)
	}
	v.restart()
	v.wantItems(5)
}

// TestSealingIsFinished simulates a crash between the definition and the sealing of existing items.
func TestSealingIsFinished(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make("")
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
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.wantItems(6)
}

func TestATableMovesFromKeyToKey(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make(byKeyA)
	v.fill(0, 2)
	for i, to := range []string{`"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-b"`, `"Enabled":false`, `"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key-c"`} {
		v.ask("UpdateTable", `{"TableName":"orders","SSESpecification":{`+to+`}}`)
		v.fill(2+i, 3+i)
		v.restart()
		v.wantItems(3 + i)
	}
	v.keys.turn("key-a", true)
	v.keys.turn("key-b", true)
	v.restart()
	v.wantItems(5)
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.keys.turn("key-c", true)
	v.restart()
	if _, err := v.engine.SharedAccount.Load().Table("orders"); err == nil {
		t.Error("the table can be read without its key")
	}
	v.keys.turn("key-c", false)
	v.wantItems(5)
	if table, _ := v.engine.SharedAccount.Load().NamedTable("orders"); table.Stats.Items.Load() != 5 || table.Indexes[0].Stats.Items.Load() != 5 {
		t.Errorf("%d items are counted", table.Stats.Items.Load())
	}
}

// TestBackupsOfAnEncryptedTableAreSealed restores a backup to a table with the same key, and one after its table was
// deleted.
func TestBackupsOfAnEncryptedTableAreSealed(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make(byKeyA)
	v.fill(0, 5)
	v.ask("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	v.ask("UpdateContinuousBackups", `{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	v.fill(5, 6)
	v.ask("DeleteTable", `{"TableName":"orders"}`)
	if found := v.plain(); len(found) != 0 {
		t.Errorf("values of backups lie open: %v", found)
	}
	v.restart()
	for arn, b := range backup.Backups(v.engine.SharedAccount.Load()) {
		items := map[string]int{backup.UserBackup: 5, backup.SystemBackup: 6}[b.Type]
		v.keys.turn("key-a", true)
		request := fmt.Sprintf(`{"TargetTableName":"orders","BackupArn":"%s"}`, arn)
		if _, err := do(v.Service, as(v.engine.SharedAccount.Load()), "RestoreTableFromBackup", []byte(request), nil); err == nil || !strings.Contains(err.Error(), "key-a is disabled") {
			t.Errorf("%s: restored without its key: %v", b.Type, err)
		}
		v.keys.turn("key-a", false)
		v.ask("RestoreTableFromBackup", request)
		v.wantItems(items)
		if found := v.plain(); len(found) != 0 {
			t.Errorf("%s: values of the restored table lie open: %v", b.Type, found)
		}
		v.restart()
		v.wantItems(items)
		v.ask("DeleteTable", `{"TableName":"orders"}`)
	}
}

// TestACheckOfKeysThatPanicsIsRepeated makes the check panic that archives a table a week after its key was disabled.
func TestACheckOfKeysThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make(byKeyA)
	v.keys.turn("key-a", true)
	for _, c := range []struct {
		broken bool
		by     time.Duration
		want   string
	}{{true, 7 * 24 * time.Hour, "INACCESSIBLE_ENCRYPTION_CREDENTIALS"}, {false, time.Minute, "ARCHIVED"}} {
		v.keys.broken = c.broken
		if err := v.clock.Advance(c.by); err != nil {
			t.Fatal(err)
		}
		out, err := do(v.Service, as(v.engine.SharedAccount.Load()), "DescribeTable", []byte(`{"TableName":"orders"}`), nil)
		if err != nil || !strings.Contains(string(out), `"TableStatus":"`+c.want+`"`) {
			t.Errorf("after %v the table is %s, %v, not %s", c.by, out, err, c.want)
		}
	}
}

// TestATransitionThatPanicsEnds checks that a table does not stay in a transitional state whose end panics.
func TestATransitionThatPanicsEnds(t *testing.T) {
	t.Parallel()
	v := newVaulted(t, t.TempDir())
	v.make("")
	a := v.engine.SharedAccount.Load()
	control.BeginTransition(a, "orders", &control.Transition{}, time.Second, func() error { panic("broken") })
	if err := v.clock.Advance(time.Second); err != nil {
		t.Fatal(err)
	}
	if control.TransitionOf(a, "orders") != nil {
		t.Error("the table is still in its transitional state")
	}
}
