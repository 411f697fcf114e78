package dynamo

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// interruptedWork is a service that closes, or whose state is replaced, in the first step of long work.
type interruptedWork struct {
	*Service
	store *store.Store
	armed atomic.Bool
	ended chan error
}

// newInterruptedWork returns a service with a table of several steps, its backup, and an hour of its history. end ends
// the service, or replaces its state.
func newInterruptedWork(t *testing.T, end func(s *Service) error) *interruptedWork {
	t.Helper()
	pool, k := budget.NewPool(budget.DefaultPool), &interruptedWork{ended: make(chan error, 1)}
	var err error
	if k.store, err = store.Open(store.Options{Pause: func() {
		if pool.Pacing() && k.armed.CompareAndSwap(true, false) {
			go func() { k.ended <- end(k.Service) }()
			<-k.engine.WorkContext().Done()
		}
	}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.store.Close(); err != nil {
			t.Error(err)
		}
	})
	now := clock.Manual(time.Unix(1_800_000_000, 0))
	if k.Service, err = New(Config{Store: k.store, Clock: now, Pool: pool}); err != nil {
		t.Fatal(err)
	}
	mustRun(t, k.Service, "CreateTable", orders)
	mustRun(t, k.Service, "UpdateContinuousBackups",
		`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	for i := range 5 {
		mustRun(t, k.Service, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"%s"}}}`, i,
			strings.Repeat("x", engine.StepBytes/2)))
	}
	mustRun(t, k.Service, "CreateBackup", `{"TableName":"orders","BackupName":"daily"}`)
	if err := now.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	return k
}

// run runs an operation, for which the service waits.
func (k *interruptedWork) run(t *testing.T, operation, body string) ([]byte, error) {
	t.Helper()
	if err := k.engine.Running.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer k.engine.Running.Leave()
	return runOperation(k.Service, requestFor(k.engine.SharedAccount.Load()), operation, []byte(body), nil)
}

// held returns how many keys tables and backups have.
func (k *interruptedWork) held(t *testing.T) (n int) {
	for _, space := range []byte{engine.SpaceCatalog, engine.SpaceItems, engine.SpaceBackups} {
		n += keysUnder(t, k.store, []byte{space})
	}
	return n
}

// TestAnInterruptedIndexIsFinished closes a service, and replaces its state, while a request builds an index: the next
// state has the whole index.
func TestAnInterruptedIndexIsFinished(t *testing.T) {
	t.Parallel()
	for _, replaced := range []bool{true, false} {
		k := newInterruptedWork(t, func(s *Service) error {
			if replaced {
				return s.Replace(t.Context(), func() error { return nil })
			}
			return s.Close()
		})
		k.armed.Store(true)
		if _, err := k.run(t, "UpdateTable", `{"TableName":"orders",
			"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":
			{"IndexName":"again","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
			"Projection":{"ProjectionType":"KEYS_ONLY"}}}]}`); err == nil {
			t.Error("the request succeeded")
		}
		if err := <-k.ended; err != nil {
			t.Error(err)
		}
		next := k.Service
		if !replaced {
			next = openService(t, k.store, k.engine.Clock)
		}
		if n := countOf(t, next, "again"); n != 5 {
			t.Errorf("the index has %d items, want 5", n)
		}
		if err := next.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLongWorkIsInterrupted closes services, and replaces their state, while requests copy a table: they get an
// internal error after the current step, and nothing is left of their copies.
func TestLongWorkIsInterrupted(t *testing.T) {
	t.Parallel()
	endings := map[string]func(s *Service) error{
		"close":   (*Service).Close,
		"replace": func(s *Service) error { return s.Replace(t.Context(), func() error { return nil }) },
	}
	for ending, end := range endings {
		for operation, body := range map[string]string{
			"CreateBackup":           `{"TableName":"orders","BackupName":"weekly"}`,
			"RestoreTableFromBackup": `{"TargetTableName":"copy","BackupArn":"%s"}`,
			"RestoreTableToPointInTime": `{"TargetTableName":"copy","SourceTableName":"orders",
				"UseLatestRestorableTime":true}`,
		} {
			t.Run(ending+" "+operation, func(t *testing.T) {
				t.Parallel()
				k := newInterruptedWork(t, end)
				body = strings.ReplaceAll(body, "%s", onlyBackup(t, k.Service).ARN)
				want := k.held(t)
				k.armed.Store(true)
				_, err := k.run(t, operation, body)
				if err == nil {
					t.Fatal("the request succeeded")
				}
				if e := k.api.Answer(operation, err); e.Status != http.StatusInternalServerError {
					t.Errorf("the answer is %+v", e)
				}
				if err := <-k.ended; err != nil {
					t.Error(err)
				}
				if got := k.held(t); got != want {
					t.Errorf("there are %d keys of tables and backups, want %d", got, want)
				}
				if ending == "replace" {
					mustRun(t, k.Service, operation, body)
				}
			})
		}
	}
}
