package cosmos

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestContainerChangesStopWhenTheRequestIsCanceled blocks a write in one container. Changes of that container wait for
// the write, and other changes of definitions wait behind them; requests for other containers do not wait. Each waiting
// request ends when its client disconnects, and changes nothing.
func TestContainerChangesStopWhenTheRequestIsCanceled(t *testing.T) {
	t.Parallel()
	changes := map[string]string{
		"PUT /dbs/db/colls/slow":    `{"id":"slow","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":60}`,
		"DELETE /dbs/db/colls/slow": "",
		"DELETE /dbs/db":            "",
	}
	for change, body := range changes {
		t.Run(change, func(t *testing.T) {
			t.Parallel()
			d := newTestService(t)
			d.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
			for _, name := range []string{"slow", "other"} {
				d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+
					fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"version":2}}`, name))
			}
			one := d.Catalog.Container("db", "slow")
			_, err := one.Write(t.Context(), doc.PartitionKey{doc.String("a")}, func(*engine.Transaction) *wire.Error {
				d.disconnectWhileWaiting(t, one.Gate, change, body)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if d.Catalog.Container("db", "slow") != one || one.Definition.Load().DefaultTTL != engine.NoTTL {
				t.Error("a request whose client left has changed the container")
			}
			method, path, _ := strings.Cut(change, " ")
			await.Return(t, "the change", func() { d.mustSend(t, method, path+"\n"+body) })
		})
	}
}

// disconnectWhileWaiting sends a change that waits for a gate, and a create container request that waits behind it.
// Other requests are served in the meantime. Then both clients disconnect, the second one first.
func (d *testService) disconnectWhileWaiting(t *testing.T, gate *store.Gate, change, body string) {
	var first, second sync.WaitGroup
	method, path, _ := strings.Cut(change, " ")
	leaveFirst := d.sendUntilLeft(t, &first, method, path, body)
	await.Return(t, "closing the gate", func() {
		for gateIsOpen(gate) && t.Context().Err() == nil {
			runtime.Gosched()
		}
	})
	leaveSecond := d.sendUntilLeft(t, &second, http.MethodPost, "/dbs/db/colls",
		`{"id":"behind","partitionKey":{"paths":["/pk"]}}`)
	await.Return(t, "a request for another container", func() {
		for i := range 20 {
			d.mustSend(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/other/docs\npk: [\"p%d\"]\n"+`{"id":"i","pk":"p%d"}`, i,
				i))
		}
		d.mustSend(t, http.MethodGet, "/dbs/db/colls")
	})
	leaveSecond()
	await.Return(t, "a creation whose client left", second.Wait)
	leaveFirst()
	await.Return(t, "a change whose client left", first.Wait)
}

// sendUntilLeft sends a request whose client disconnects when leave is called. The request must not succeed.
func (d *testService) sendUntilLeft(t *testing.T, done *sync.WaitGroup, method, path, body string) (leave func()) {
	ctx, cancel := context.WithCancel(t.Context())
	r := d.signedRequest(method, path, nil, []byte(body)).WithContext(ctx)
	done.Go(func() {
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s %s is answered %d %s after its client left", method, path, w.Code, w.Body)
		}
	})
	return cancel
}

// gateIsOpen reports whether the gate is not closed and nothing waits to close it.
func gateIsOpen(gate *store.Gate) bool {
	left, leave := context.WithCancel(context.Background())
	leave()
	if gate.Enter(left) != nil {
		return false
	}
	gate.Leave()
	return true
}
