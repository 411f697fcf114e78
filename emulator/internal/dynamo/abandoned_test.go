package dynamo

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

const orders = `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`

// withOrders returns a service with a table orders of items items.
func withOrders(t *testing.T, state *store.Store, items int) *Service {
	t.Helper()
	s := openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
	mustRun(t, s, "CreateTable", orders)
	for i := range items {
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"}}}`, i))
	}
	return s
}

// TestCrashesLeaveNoPartialBackupsOrTables opens stores that a process left in the middle of a backup and of a restore.
func TestCrashesLeaveNoPartialBackupsOrTables(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 3)
	a := requestFor(s.engine.SharedAccount.Load())
	orders, err := a.Account.Table("orders")
	if err != nil {
		t.Fatal(err)
	}
	b := backup.NewBackup(a.Account, orders.Def, "half", backup.UserBackup)
	b.Unfinished = true
	if err := state.Update(store.Latch(), func(tx *store.Tx) error {
		return backup.PutBackup(a.Account, tx, b)
	}); err != nil {
		t.Fatal(err)
	}
	if err := backup.FillBackup(a.Account, orders, b); err != nil {
		t.Fatal(err)
	}
	def, err := new(backup.Overrides).Definition(a, a.Account, orders.Def, "restored")
	if err != nil {
		t.Fatal(err)
	}
	if err := backup.ReserveName(a, def, "orders"); err != nil {
		t.Fatal(err)
	}
	copyOrders := func(r *store.Reader) error {
		return backup.CopyItems(a.Engine, r, engine.AppendTablePrefix(nil, orders.Def.ID), engine.AppendTablePrefix(nil,
			def.ID), (*store.Tx).Set, nil)
	}
	if err := state.View(copyOrders); err != nil {
		t.Fatal(err)
	}

	next := openService(t, state, s.engine.Clock)
	defer next.Close()
	for what, prefix := range map[string][]byte{"backup": {engine.SpaceBackups}, "table": engine.AppendTablePrefix(nil,
		def.ID), "definition": a.Account.CatalogKey("restored")} {
		if n := keysUnder(t, state, prefix); n > 0 {
			t.Errorf("%d keys are left of the %s", n, what)
		}
	}
	mustRun(t, next, "CreateBackup", `{"TableName":"orders","BackupName":"whole"}`)
	mustRun(t, next, "RestoreTableFromBackup", fmt.Sprintf(`{"TargetTableName":"restored","BackupArn":%q}`,
		onlyBackup(t, next).ARN))
	if n := keysUnder(t, state, []byte{engine.SpaceItems}); n != 6 {
		t.Errorf("there are %d items in two tables of three", n)
	}
}

// TestAFailedRestoreLeavesNothing makes the copy fail halfway.
func TestAFailedRestoreLeavesNothing(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 3)
	defer s.Close()
	a := requestFor(s.engine.SharedAccount.Load())
	table, err := a.Account.Table("orders")
	if err != nil {
		t.Fatal(err)
	}
	def, err := new(backup.Overrides).Definition(a, a.Account, table.Def, "restored")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	_, err = backup.Restore(a, def, "orders", control.RestoreSummary{}, func(space []byte) error {
		return errors.Join(broken, state.Update(store.Latch(), func(tx *store.Tx) error {
			return tx.Set(append(space, 1), []byte{1})
		}))
	})
	if !errors.Is(err, broken) {
		t.Fatalf("the restore ended with %v", err)
	}
	if n := keysUnder(t, state, engine.AppendTablePrefix(nil, def.ID)); n > 0 {
		t.Errorf("%d keys are left", n)
	}
	mustRun(t, s,
		"CreateTable", `{"TableName":"restored","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
}

// TestConcurrentRestoresConflict: a backup serves one restore at a time, a name is reserved by one restore, and a
// backup in use cannot be deleted.
func TestConcurrentRestoresConflict(t *testing.T) {
	t.Parallel()
	s := withOrders(t, openMemory(t), 1)
	defer s.Close()
	mustRun(t, s, "CreateBackup", `{"TableName":"orders","BackupName":"one"}`)
	b := onlyBackup(t, s)
	a := requestFor(s.engine.SharedAccount.Load())
	def, err := new(backup.Overrides).Definition(a, a.Account, b.Definition, "restored")
	if err != nil {
		t.Fatal(err)
	}
	restore := fmt.Sprintf(`{"TargetTableName":"restored","BackupArn":%q}`, b.ARN)
	b.Restoring.Store(true)
	wantError(t, s, "RestoreTableFromBackup", restore,
		"BackupInUseException: Backup is being used to restore another table: "+b.ARN)
	wantError(t, s, "DeleteBackup", fmt.Sprintf(`{"BackupArn":%q}`, b.ARN),
		"BackupInUseException: Backup is being used to restore table: "+b.ARN)
	b.Restoring.Store(false)
	if err := backup.ReserveName(a, def, "backup: "+b.ARN); err != nil {
		t.Fatal(err)
	}
	wantError(t, s, "RestoreTableFromBackup", restore,
		"TableInUseException: Table: restored is already being restored from backup: "+b.ARN)
	wantError(t, s,
		"CreateTable", `{"TableName":"restored","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`, "ResourceInUseException: Table is being used: restored")
}

func onlyBackup(t *testing.T, s *Service) *backup.Backup {
	t.Helper()
	for _, b := range backupsOf(s.engine.SharedAccount.Load()).All() {
		return b
	}
	t.Fatal("there is no backup")
	return nil
}

func keysUnder(t *testing.T, state *store.Store, prefix []byte) (n int) {
	t.Helper()
	err := state.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			n++
		}
		return it.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func wantError(t *testing.T, s *Service, name, body, want string) {
	t.Helper()
	_, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), name, []byte(body), nil)
	var e *wire.Error
	if !errors.As(err, &e) || e.Name()+": "+e.Message != want {
		t.Errorf("%s: %v, want %s", name, err, want)
	}
}
