package dynamo

import (
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// reserveCopy reserves the name of a copy of a table of the shared account, and returns both.
func reserveCopy(t *testing.T, s *Service, table string) (source *engine.Table, copied *engine.Definition) {
	t.Helper()
	a := s.engine.SharedAccount.Load()
	source, err := a.NamedTable(table)
	if err != nil {
		t.Fatal(err)
	}
	def, err := new(backup.Overrides).Definition(requestFor(a), a, source.Def, "copy")
	if err != nil {
		t.Fatal(err)
	}
	def.SSE = source.Def.SSE
	if err := backup.ReserveName(requestFor(a), def, "a test"); err != nil {
		t.Fatal(err)
	}
	return source, def
}

// fillCopy fills a copy with the items of its source, after it has called before.
func fillCopy(t *testing.T, s *Service, source *engine.Table, def *engine.Definition, before func()) error {
	t.Helper()
	a := s.engine.SharedAccount.Load()
	return backup.FillReserved(t.Context(), a, def, func(to *engine.Table) error {
		before()
		return s.engine.Store.View(func(r *store.Reader) error {
			return backup.CopyItems(s.engine, r, engine.AppendTablePrefix(nil, source.Def.ID),
				engine.AppendTablePrefix(nil, to.Def.ID), (*store.Tx).Set, nil)
		})
	}, func(*engine.Table) { delete(control.Transitions(a).Restoring, def.Name) })
}

// TestTheKeyOfATableThatIsBeingFilledStays removes the keys of deleted tables while an encrypted table is being filled,
// before it has items.
func TestTheKeyOfATableThatIsBeingFilledStays(t *testing.T) {
	t.Parallel()
	v := newEncryptedService(t, t.TempDir())
	v.createTable(byKeyA)
	v.fill(0, 5)
	source, def := reserveCopy(t, v.Service, "orders")
	v.engine.ScheduleRemoval()
	err := fillCopy(t, v.Service, source, def, func() {
		if err := v.clock.Advance(2 * engine.RemovalInterval); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if found := v.unsealedValues(); len(found) != 0 {
		t.Errorf("values lie open: %v", found)
	}
	v.call("DeleteTable", `{"TableName":"copy"}`)
	v.call("DeleteTable", `{"TableName":"orders"}`)
	if err := v.clock.Advance(3 * 24 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if n := keysUnder(t, v.store, []byte{engine.SpaceKeys}); n != 0 {
		t.Errorf("%d keys are left of the deleted tables", n)
	}
}

// TestAPanicReleasesTheNameOfATable panics while a table is being filled: nothing is left of it, and its name can be
// used.
func TestAPanicReleasesTheNameOfATable(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 3)
	defer s.Close()
	source, def := reserveCopy(t, s, "orders")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = fillCopy(t, s, source, def, func() { panic("broken") })
	}()
	if n := keysUnder(t, state, []byte{engine.SpaceCatalog}); n != 1 {
		t.Errorf("the store has %d tables", n)
	}
	mustRun(t, s, "CreateTable", strings.Replace(orders, `"orders"`, `"copy"`, 1))
}

// TestABackupOutlivesItsAccountsLastTable deletes the only table of an account at the end of its backup.
func TestABackupOutlivesItsAccountsLastTable(t *testing.T) {
	t.Parallel()
	s := openIsolated(t)
	defer s.Close()
	who := accounts.Scope{AccessKey: "KEY", Region: accounts.DefaultRegion}
	run := func(operation, body string) string {
		out, err := runOperation(s, requestFor(s.accountOf(who, nil)), operation, []byte(body), nil)
		if err != nil {
			t.Error(operation, err)
		}
		return string(out)
	}
	run("CreateTable", orders)
	run("PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"}}}`)
	a := s.accountOf(who, nil)
	if err := a.DDL.Close(t.Context()); err != nil { // DeleteTable begins
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		run("CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	}()
	await.True(t, "an item is in the backup", func() bool {
		return keysUnder(t, s.engine.Store, []byte{engine.SpaceBackups, engine.BackupItems}) > 0
	})
	table, err := a.NamedTable("orders")
	if err == nil {
		err = a.Drop(t.Context(), table)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.UnlockTables() // DeleteTable ends
	<-done
	if list := run("ListBackups", `{}`); !strings.Contains(list, `"BackupName":"daily"`) {
		t.Errorf("the account's backups are %s", list)
	}
}

// restoreOrders restores the only backup of the shared account to a new table.
func restoreOrders(s *Service, arn string) error {
	_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), "RestoreTableFromBackup",
		[]byte(`{"TargetTableName":"restored","BackupArn":"`+arn+`"}`), nil)
	return err
}

// TestARestoreOfADeletedBackupFails deletes a backup after a restore has found it: there is no empty table.
func TestARestoreOfADeletedBackupFails(t *testing.T) {
	t.Parallel()
	s := withOrders(t, openMemory(t), 3)
	defer s.Close()
	mustRun(t, s, "CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	a, b := s.engine.SharedAccount.Load(), onlyBackup(t, s)
	if err := a.DDL.Close(t.Context()); err != nil { // DeleteBackup begins
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- restoreOrders(s, b.ARN) }()
	await.True(t, "the restore uses the backup", b.Restoring.Load)
	// DeleteBackup, which saw that no restore used the backup, removes it.
	backupsOf(a).Replace(map[string]*backup.Backup{})
	all := []byte{engine.SpaceBackups}
	if err := s.engine.Store.Update(store.Latch(all), func(tx *store.Tx) error {
		return tx.DeleteRange(all, store.PrefixEnd(all))
	}); err != nil {
		t.Fatal(err)
	}
	a.UnlockTables()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "BackupNotFoundException") {
		t.Errorf("the restore returns %v", err)
	}
	if _, err := a.NamedTable("restored"); err == nil {
		t.Error("there is a restored table")
	}
}

// TestABackupThatIsRestoredDoesNotExpire lets the backup of a deleted table expire in the middle of a restore.
func TestABackupThatIsRestoredDoesNotExpire(t *testing.T) {
	t.Parallel()
	s := withOrders(t, openMemory(t), 3)
	defer s.Close()
	mustRun(t, s, "UpdateContinuousBackups",
		`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	mustRun(t, s, "DeleteTable", `{"TableName":"orders"}`)
	b := onlyBackup(t, s)
	for _, c := range []struct {
		restoring bool
		by        time.Duration
		left      int
	}{{true, 36 * backup.Day, 1}, {false, 2 * engine.RemovalInterval, 0}} {
		b.Restoring.Store(c.restoring)
		if err := s.engine.Clock.Advance(c.by); err != nil {
			t.Fatal(err)
		}
		if n := len(backupsOf(s.engine.SharedAccount.Load()).All()); n != c.left {
			t.Errorf("with restoring=%v there are %d backups, want %d", c.restoring, n, c.left)
		}
	}
}

// indexedObjects have one bucket with one object of one item. closed is called when it was read.
type indexedObjects struct {
	Objects
	closed func()
}

func (indexedObjects) HasBucket(string) (bool, error)        { return true, nil }
func (indexedObjects) Keys(string, string) ([]string, error) { return []string{"items"}, nil }

func (o indexedObjects) Open(string, string) (io.ReadCloser, error) {
	return &indexedObject{o, false}, nil
}

type indexedObject struct {
	indexedObjects
	read bool
}

func (o *indexedObject) Read(p []byte) (int, error) {
	if o.read {
		return 0, io.EOF
	}
	o.read = true
	return copy(p, `{"Item":{"id":{"S":"a"},"city":{"S":"Oslo"}}}`), nil
}

func (o *indexedObject) Close() error {
	o.closed()
	return nil
}

// TestAnImportIsInterruptedWhileItsIndexesAreFilled replaces the state after an import has written its items: the
// import fails at once, and nothing is left of its table.
func TestAnImportIsInterruptedWhileItsIndexesAreFilled(t *testing.T) {
	t.Parallel()
	var s *Service
	var written atomic.Bool
	state, err := store.Open(store.Options{Pause: func() {
		if written.CompareAndSwap(true, false) {
			s.engine.InterruptWork()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	s, err = New(Config{Store: state, Clock: clock.Manual(time.Unix(1000, 0)),
		Objects: indexedObjects{closed: func() { written.Store(true) }}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	req := requestFor(s.engine.SharedAccount.Load())
	req.Context = t.Context()
	if _, err := runOperation(s, req, "ImportTable", []byte(`{"ClientToken":"t",
		"S3BucketSource":{"S3Bucket":"imports"},"InputFormat":"DYNAMODB_JSON","TableCreationParameters":`+
		importedTable+`}`), nil); err != nil {
		t.Fatal(err)
	}
	await.True(t, "the import ends", func() bool {
		list, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), "ListImports", []byte(`{}`), nil)
		if err != nil || strings.Contains(string(list), "COMPLETED") {
			t.Fatalf("%s, %v", list, err)
		}
		return strings.Contains(string(list), `"ImportStatus":"FAILED"`)
	})
	if n := keysUnder(t, state, []byte{engine.SpaceItems}) + keysUnder(t, state, []byte{engine.SpaceCatalog}); n != 0 {
		t.Errorf("%d keys are left of the table", n)
	}
}

const importedTable = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},
	{"AttributeName":"city","AttributeType":"S"}],"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":
	[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`

// TestAPanicLeavesNothingOfABackup panics while a table is copied to a backup, and while a temporary copy is used.
func TestAPanicLeavesNothingOfABackup(t *testing.T) {
	t.Parallel()
	pool, armed := budget.NewPool(budget.DefaultPool), new(atomic.Bool)
	state, err := store.Open(store.Options{Pause: func() {
		if pool.Pacing() && armed.CompareAndSwap(true, false) {
			panic("broken")
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	s, err := New(Config{Store: state, Clock: clock.Manual(time.Unix(1000, 0)), Pool: pool})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	mustRun(t, s, "CreateTable", orders)
	mustRun(t, s, "PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"}}}`)
	a := s.engine.SharedAccount.Load()
	table, err := a.NamedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(){
		"backup": func() {
			armed.Store(true)
			mustRun(t, s, "CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
		},
		"scratch": func() { _ = backup.WithScratch(a, table, func([]byte) error { panic("broken") }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic is lost", name)
				}
			}()
			run()
		}()
		if n := keysUnder(t, state, []byte{engine.SpaceBackups}); n != 0 {
			t.Errorf("%s: %d keys are left", name, n)
		}
	}
}
