package dynamo

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestTableChangesEndWhenTheClientDisconnects blocks a write of a table. Changes of the table wait for it, and other
// changes wait for those; each ends when its client disconnects, and changes nothing.
func TestTableChangesEndWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	arn := "arn:aws:dynamodb:us-east-1:000000000000:table/orders"
	changes := []struct{ name, body string }{
		{"UpdateTable", `{"TableName":"orders","DeletionProtectionEnabled":true}`},
		{"UpdateTimeToLive", `{"TableName":"orders","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`},
		{"UpdateContinuousBackups",
			`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`},
		{"TagResource", fmt.Sprintf(`{"ResourceArn":%q,"Tags":[{"Key":"a","Value":"b"}]}`, arn)},
		{"DeleteTable", `{"TableName":"orders"}`},
	}
	behind := []struct{ name, body string }{
		{"CreateTable", otherTable},
		{"CreateBackup", `{"TableName":"orders","BackupName":"all"}`},
		{"DeleteTable", `{"TableName":"orders"}`},
	}
	for i, change := range changes {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			state := openMemory(t)
			s := withOrders(t, state, 3)
			slow, err := s.engine.SharedAccount.Load().Table("orders")
			if err != nil {
				t.Fatal(err)
			}
			err = state.Update(store.Latch([]byte("an item of orders")).Within(slow.Gate), func(*store.Tx) error {
				var first, second sync.WaitGroup
				leaveFirst := requestUntilDisconnected(t, s, &first, change.name, change.body)
				await.Return(t, "closing the gate", func() {
					for gateIsOpen(slow.Gate) && t.Context().Err() == nil {
						runtime.Gosched()
					}
				})
				next := behind[i%len(behind)]
				leaveSecond := requestUntilDisconnected(t, s, &second, next.name, next.body)
				leaveSecond()
				await.Return(t, next.name, second.Wait)
				leaveFirst()
				await.Return(t, change.name, first.Wait)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if now, err := s.engine.SharedAccount.Load().Table("orders"); now != slow || err != nil ||
				len(backupsOf(s.engine.SharedAccount.Load()).All()) != 0 {
				t.Errorf("a request whose client left has changed something: %v", err)
			}
			answerTo(t, s, change.name, change.body)
		})
	}
}

// requestUntilDisconnected runs an operation whose client disconnects when leave is called.
func requestUntilDisconnected(t *testing.T, s *Service, done *sync.WaitGroup, name, body string) (leave func()) {
	ctx, cancel := context.WithCancel(t.Context())
	a := requestFor(s.engine.SharedAccount.Load())
	a.Context = ctx
	done.Go(func() {
		if _, err := runOperation(s, a, name, []byte(body), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after its client left", name, err)
		}
	})
	return cancel
}

// gateIsOpen reports whether nobody has closed a gate or waits to close it.
func gateIsOpen(gate *store.Gate) bool {
	left, leave := context.WithCancel(context.Background())
	leave()
	if gate.Enter(left) != nil {
		return false
	}
	gate.Leave()
	return true
}
