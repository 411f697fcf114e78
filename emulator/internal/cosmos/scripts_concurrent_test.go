package cosmos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// addToCounter increments a counter in partition a. It first reads the time, at which point a test can block it.
const addToCounter = `function() {
	Date.now();
	__.readDocument(__.getAltLink() + '/docs/counter', (err, doc) => {
		doc = doc || {id: 'counter', pk: 'a', u: 'counter', n: 0};
		doc.n++;
		__.upsertDocument(__.getSelfLink(), doc);
	});
}`

// holdScripts blocks scripts that read the time until release is closed. The first of them closes running.
func (d *testService) holdScripts() (running, release chan struct{}) {
	running, release = make(chan struct{}), make(chan struct{})
	var first sync.Once
	d.Scripts = script.New(script.Config{Random: d.Service.Random.Next, Time: time.Minute, Now: func() time.Time {
		first.Do(func() { close(running) })
		<-release
		return d.Now()
	}})
	return running, release
}

// TestScriptsDoNotBlockOtherWrites checks that while one script runs and nine others wait for it, all else continues:
// writes of other partitions and of the same one, batches, new scripts, and containers that are created, replaced and
// deleted. Then the scripts run one by one.
func TestScriptsDoNotBlockOtherWrites(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{"add": addToCounter})
	running, release := d.holdScripts()
	const queued = 10
	var scripts sync.WaitGroup
	for range queued {
		scripts.Go(func() { d.executeInTurn(t, "add") })
	}
	<-running
	await.Return(t, "another request", func() {
		for i := range 20 {
			d.mustSend(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"p%d\"]\n"+`{"id":"i","pk":"p%d","u":1}`, i,
				i))
		}
		d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+
			`{"id":"counter","pk":"a","u":"counter","n":100}`)
		d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+`{"id":"new","body":"x"}`)
		d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"other","partitionKey":{"paths":["/pk"]}}`)
		d.mustSend(t, http.MethodDelete, "/dbs/db/colls/other")
		d.mustSend(t, http.MethodPut,
			"/dbs/db/colls/c\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]},"defaultTtl":-1}`)
	})
	close(release)
	scripts.Wait()
	if n := d.counter(t); n != 100+queued {
		t.Errorf("the counter is %v, want %d", n, 100+queued)
	}
}

func (d *testService) mustSend(t *testing.T, method, text string) {
	if w := d.send(t, method, text); w.Code >= 300 {
		t.Errorf("%s %s: %d %s", method, text, w.Code, w.Body)
	}
}

// counter returns the value of the counter in partition a.
func (d *testService) counter(t *testing.T) int {
	t.Helper()
	w := d.send(t, http.MethodGet, "/dbs/db/colls/c/docs/counter\npk: [\"a\"]")
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatal(err, w.Body)
	}
	return int(v.Field("n").Float())
}

// TestScriptsOfDeletedContainers checks that a script fails if its container is deleted while it runs.
func TestScriptsOfDeletedContainers(t *testing.T) {
	t.Parallel()
	d := procedures(t, map[string]string{"add": addToCounter})
	running, release := d.holdScripts()
	status := make(chan int)
	go func() {
		code, _ := d.execute(t, "add", "")
		status <- code
	}()
	<-running
	await.Return(t, "the deletion", func() { d.mustSend(t, http.MethodDelete, "/dbs/db/colls/c") })
	close(release)
	if got := <-status; got != http.StatusNotFound {
		t.Error(got)
	}
}

// TestScriptsCountExactly increments a counter at random: by a procedure, by a post-trigger of a create, and by a
// client that reads and replaces the item, while the container's definition changes. Exactly the increments that
// succeeded must be counted.
func TestScriptsCountExactly(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 2, func(t *testing.T, seed uint64) {
		t.Parallel()
		d := procedures(t, map[string]string{"add": addToCounter})
		d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/triggers\n"+doc.Object(doc.Member{Name: "id",
			Value: doc.String("count")},
			doc.Member{Name: "body", Value: doc.String(addToCounter)}, doc.Member{Name: "triggerType",
				Value: doc.String("post")},
			doc.Member{Name: "triggerOperation", Value: doc.String("create")}).JSON())
		d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+`{"id":"counter","pk":"a","u":"counter","n":0}`)
		h := &countHistory{testService: d}
		var workers sync.WaitGroup
		for worker := range uint64(6) {
			workers.Go(func() {
				rng := rand.New(rand.NewPCG(seed, worker))
				for i := range 25 {
					h.step(t, rng, fmt.Sprintf("w%d-%d", worker, i))
				}
			})
		}
		workers.Wait()
		if got, want := d.counter(t), int(h.counted.Load()); got != want || want == 0 {
			t.Errorf("the counter is %d, and %d requests have counted", got, want)
		}
		if got, want := d.count(t), fmt.Sprintf("[%d]", 1+h.created.Load()); got != want {
			t.Errorf("there are %s items, want %s", got, want)
		}
	})
}

type countHistory struct {
	*testService
	counted, created atomic.Int64
}

func (h *countHistory) step(t *testing.T, rng *rand.Rand, id string) {
	switch rng.IntN(10) {
	case 0:
		ttl := []string{"-1", "1000000"}[rng.IntN(2)]
		h.mustSend(t, http.MethodPut,
			"/dbs/db/colls/c\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/u"]}]},"defaultTtl":`+
				ttl+`}`)
	case 1, 2, 3:
		w := h.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\nx-ms-documentdb-post-trigger-include: count\n"+
			fmt.Sprintf(`{"id":"%s","pk":"a","u":"%s"}`, id, id))
		if h.note(t, w.Code, http.StatusCreated, wire.StatusRetryWith) {
			h.created.Add(1)
		}
	case 4, 5, 6:
		status, _ := h.execute(t, "add", "")
		h.note(t, status, http.StatusOK, wire.StatusRetryWith)
	default:
		r := h.send(t, http.MethodGet, "/dbs/db/colls/c/docs/counter\npk: [\"a\"]")
		v, err := doc.Parse(r.Body.Bytes())
		if err != nil {
			t.Error(err)
			return
		}
		v = v.With("n", doc.Number(v.Field("n").Float()+1))
		w := h.send(t, http.MethodPut, "/dbs/db/colls/c/docs/counter\npk: [\"a\"]\nif-match: "+
			r.Header().Get("Etag")+"\n"+v.JSON())
		h.note(t, w.Code, http.StatusOK, http.StatusPreconditionFailed)
	}
}

// note records a success.
func (h *countHistory) note(t *testing.T, status, success, refused int) bool {
	if status == success {
		h.counted.Add(1)
	} else if status != refused {
		t.Errorf("status %d", status)
	}
	return status == success
}

// TestConflictingScriptsRunAgain checks that a script that keeps conflicting with other writes fails with 449 and the
// service's message.
func TestConflictingScriptsRunAgain(t *testing.T) {
	t.Parallel()
	d := procedures(t, nil)
	c, key := d.Catalog.Container("db", "c"), doc.PartitionKey{doc.String("a")}
	put := func(t *engine.Transaction) *wire.Error {
		v, _ := doc.Parse([]byte(`{"id":"x","pk":"a"}`))
		made, err := engine.NewItem(t.Definition, v)
		if err == nil {
			_, err = t.Upsert(made, engine.Conditions{})
		}
		return err
	}
	tries := 0
	_, err := c.WriteOptimistic(t.Context(), key, func(own *engine.Transaction) *wire.Error {
		tries++
		if _, err := c.Write(t.Context(), key, put); err != nil {
			return err
		}
		return put(own)
	})
	if err == nil || err.Status != 449 || !strings.Contains(err.Message,
		"Conflicting request to resource has been attempted. Retry to avoid conflicts.") {
		t.Errorf("%v after %d tries", err, tries)
	}
	if floor, last := c.Sequence.Floor(), c.Sequence.Last(); floor != last {
		t.Errorf("the change feed stops at %d of %d", floor, last)
	}
	if got := d.count(t); got != "[1]" {
		t.Error(got)
	}
}

// TestWritesStopWhenTheClientDisconnects checks that a waiting write ends when its client disconnects.
func TestWritesStopWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	d := procedures(t, nil)
	c, key := d.Catalog.Container("db", "c"), doc.PartitionKey{doc.String("a")}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.Write(t.Context(), key, func(*engine.Transaction) *wire.Error {
		var waiting sync.WaitGroup
		for _, write := range []operation.TransactFunc{c.Write, c.WriteOptimistic} {
			waiting.Go(func() {
				_, err := write(ctx, key, func(*engine.Transaction) *wire.Error { t.Error("it runs"); return nil })
				if err == nil || err.Status != http.StatusServiceUnavailable {
					t.Error(err)
				}
			})
		}
		cancel()
		await.Return(t, "a client that has left", waiting.Wait)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
