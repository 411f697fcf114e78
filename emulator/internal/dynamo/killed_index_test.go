package dynamo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// killedIndex is a process that adds the index by-city to a table, in steps of one item.
type killedIndex struct {
	options store.Options
	pool    *budget.Pool
	updates atomic.Int64        // that have begun while a paced step ran
	pauses  atomic.Int64        // calls of Pause in these: three for each
	begin   func(updates int64) // called before each of these, which may wait for it
	store   *store.Store
	service *Service
}

// killedItems is how many items the table has, of 300 KB each: more than are entered before tables can be used.
const killedItems = 24

// start starts a process on a disk.
func (k *killedIndex) start(t *testing.T, disk *vfs.MemFS, begin func(updates int64)) {
	t.Helper()
	k.begin = begin
	k.updates.Store(0)
	k.pauses.Store(0)
	k.pool = budget.NewPool(budget.DefaultPool)
	k.options.Disk = disk
	k.options.Pause = func() {
		if k.pool.Pacing() && k.pauses.Add(1)%3 == 1 {
			k.begin(k.updates.Add(1))
		}
	}
	var err error
	if k.store, err = store.Open(k.options); err != nil {
		t.Fatal(err)
	}
	if k.service, err = New(Config{Store: k.store, Clock: clock.Manual(time.Unix(1000, 0)), Pool: k.pool}); err != nil {
		t.Fatal(err)
	}
}

func (k *killedIndex) stop(t *testing.T) {
	t.Helper()
	if err := errors.Join(k.service.Close(), k.store.Close()); err != nil {
		t.Error(err)
	}
}

// run runs an operation and returns its response.
func (k *killedIndex) run(t *testing.T, operation, body string) string {
	t.Helper()
	out, err := runOperation(k.service, requestFor(k.service.engine.SharedAccount.Load()), operation, []byte(body), nil)
	if err != nil {
		t.Fatalf("%s: %v", operation, err)
	}
	return string(out)
}

func (k *killedIndex) put(t *testing.T, n int) {
	t.Helper()
	k.run(t, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"%d"},"n":{"S":"%s"}}}`, n,
		n%2, strings.Repeat("x", 300_000)))
}

func (k *killedIndex) status(t *testing.T) string {
	t.Helper()
	_, after, _ := strings.Cut(k.run(t, "DescribeTable", `{"TableName":"orders"}`), `"IndexStatus":"`)
	status, _, _ := strings.Cut(after, `"`)
	return status
}

func (k *killedIndex) addIndex(t *testing.T, name string) {
	t.Helper()
	k.run(t, "UpdateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"`+name+`","Projection":{"ProjectionType":"KEYS_ONLY"},
		"KeySchema":[{"AttributeName":"city","KeyType":"HASH"}]}}]}`)
}

// serveMeanwhile uses the table while the index is being filled: it adds an item and deletes one.
func (k *killedIndex) serveMeanwhile(t *testing.T, added, deleted int) {
	t.Helper()
	if status := k.status(t); status != "CREATING" {
		t.Errorf("the index is %q while it is being filled", status)
	}
	k.put(t, added)
	k.run(t, "DeleteItem", fmt.Sprintf(`{"TableName":"orders","Key":{"id":{"S":"%d"}}}`, deleted))
}

// TestAKilledIndexIsCompletedWhileRequestsAreServed kills a process in the middle of the build of an index. The next
// one serves requests while the index is CREATING, and may be stopped and started again. In the end the index is
// ACTIVE, and equal to one that is built whole.
func TestAKilledIndexIsCompletedWhileRequestsAreServed(t *testing.T) {
	t.Parallel()
	disk := vfs.NewCrashableMem()
	k := &killedIndex{options: store.Options{Dir: "/db", RootKey: filepath.Join(t.TempDir(), "root.key")}}
	var left *vfs.MemFS
	k.start(t, disk, func(updates int64) {
		if updates == killedItems/3 {
			left = disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: rand.New(rand.NewPCG(1, 1))})
		}
	})
	k.run(t, "CreateTable", orders)
	for n := range killedItems {
		k.put(t, n)
	}
	k.addIndex(t, "by-city")
	k.stop(t)

	// startAndHold returns when a process serves requests and is about to make that step of the index.
	startAndHold := func(step int64) (goOn chan struct{}) {
		goOn = make(chan struct{})
		k.start(t, left, func(updates int64) {
			if updates == step { // others are of requests, while the step is held
				<-goOn
			}
		})
		await.True(t, "the build is resumed", func() bool { return k.updates.Load() >= step })
		return goOn
	}
	goOn := startAndHold(3)
	k.serveMeanwhile(t, killedItems, 0)
	k.service.engine.InterruptWork()
	close(goOn)
	k.stop(t)
	goOn = startAndHold(1)
	k.serveMeanwhile(t, killedItems+1, 1)
	close(goOn)
	await.True(t, "the index is active", func() bool { return k.status(t) == "ACTIVE" })

	k.addIndex(t, "whole")
	scan := func(index string) string { return k.run(t, "Scan", `{"TableName":"orders","IndexName":"`+index+`"}`) }
	if resumed, whole := scan("by-city"), scan("whole"); resumed != whole || strings.Count(whole, "city") != killedItems {
		t.Errorf("the index has %s, want %s", resumed, whole)
	}
	if resumed, whole := countOf(t, k.service, "by-city"), countOf(t, k.service, "whole"); resumed != whole {
		t.Errorf("the index has %d items, want %d", resumed, whole)
	}
	k.stop(t)
}
