package emulator_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// recordingWorker is a crashWorker that records every state of its keys.
type recordingWorker struct {
	*crashWorker
	mu     sync.Mutex
	states []map[string]string // after each acknowledged write
}

func (w *recordingWorker) add() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states = append(w.states, w.acknowledged)
}

func (w *recordingWorker) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.states)
}

// countedBatches is a batchWorker whose last acknowledged round can be read concurrently.
type countedBatches struct {
	batchWorker
	round atomic.Int64
}

// busyEmulator is an emulator with concurrent writers to both services.
type busyEmulator struct {
	items   []*recordingWorker
	batches []*countedBatches
	stop    func() // returns when no write is in progress
}

func makeBusy(t *testing.T, e *emulator.Emulator) *busyEmulator {
	t.Helper()
	dynamo, cosmos := clientsOf(t, e)
	makeCrashTable(t, dynamo.client)
	cosmos.makeContainer(t)
	d := &busyEmulator{}
	var group sync.WaitGroup
	done := make(chan struct{})
	write := func(one func() error) {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := one(); err != nil {
					t.Errorf("a write beside a backup: %v", err)
					return
				}
			}
		})
	}
	for i := range 4 {
		w := &recordingWorker{crashWorker: &crashWorker{name: fmt.Sprintf("w%d", i), acknowledged: map[string]string{},
			random: rand.New(rand.NewPCG(uint64(i), 1))}}
		w.add()
		d.items = append(d.items, w)
		write(func() error {
			defer w.add()
			return w.write(dynamo.client)
		})
	}
	for i := range 2 {
		w := &countedBatches{batchWorker: batchWorker{key: fmt.Sprintf("w%d", i)}}
		d.batches = append(d.batches, w)
		write(func() error {
			defer func() { w.round.Store(int64(w.acknowledged)) }()
			return w.write(cosmos.items)
		})
	}
	d.stop = sync.OnceFunc(func() {
		close(done)
		group.Wait()
	})
	t.Cleanup(d.stop)
	return d
}

// clientsOf returns clients of an emulator in this process.
func clientsOf(t *testing.T, e *emulator.Emulator) (*emulatorProcess, *cosmosProcess) {
	t.Helper()
	client, err := cosmosclient.New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	cosmos := &cosmosProcess{client: client}
	if cosmos.items, err = client.NewContainer("crash", "batches"); err != nil {
		t.Fatal(err)
	}
	return &emulatorProcess{client: dynamodb.NewFromConfig(e.AWSConfig())}, cosmos
}

// written returns the number of acknowledged writes of each worker.
func (d *busyEmulator) written() (items, batches []int) {
	for _, w := range d.items {
		items = append(items, w.count())
	}
	for _, w := range d.batches {
		batches = append(batches, int(w.round.Load()))
	}
	return items, batches
}

// await waits until each worker has written that many more times.
func (d *busyEmulator) await(t *testing.T, more int) {
	t.Helper()
	began := time.Now()
	items, batches := d.written()
	for {
		nowItems, nowBatches := d.written()
		ready := !slices.ContainsFunc(pairs(items, nowItems), func(p [2]int) bool { return p[1] < p[0]+more }) &&
			!slices.ContainsFunc(pairs(batches, nowBatches), func(p [2]int) bool { return p[1] < p[0]+1 })
		if ready {
			return
		}
		if time.Since(began) > time.Minute || t.Failed() {
			t.Fatal("the writers make no progress")
		}
		runtime.Gosched()
	}
}

func pairs(a, b []int) [][2]int {
	all := make([][2]int, len(a))
	for i := range a {
		all[i] = [2]int{a[i], b[i]}
	}
	return all
}

// check opens a backup and compares it with the writes acknowledged before it.
func (d *busyEmulator) check(t *testing.T, dir string, items, batches []int) {
	t.Helper()
	e := emulator.Run(t, emulator.WithData(dir))
	dynamo, cosmos := clientsOf(t, e)
	inTable := dynamo.read(t, nil)
	if inIndex := dynamo.read(t, aws.String("by-v")); !maps.Equal(inTable, inIndex) {
		t.Errorf("the table has %v, its index %v", inTable, inIndex)
	}
	if replayed := dynamo.replay(t); !maps.Equal(inTable, replayed) {
		t.Errorf("the table has %v, its stream makes %v", inTable, replayed)
	}
	for i, w := range d.items {
		there := map[string]string{}
		for k, v := range inTable {
			if strings.HasPrefix(k, w.name+"-") {
				there[k] = v
			}
		}
		if !slices.ContainsFunc(w.states[items[i]-1:], func(state map[string]string) bool {
			return maps.Equal(state, there)
		}) {
			t.Errorf("%s: the backup has %v, which it had at no moment after the backup began", w.name, there)
		}
	}
	changes := cosmos.changes(t)
	for i, w := range d.batches {
		rounds := cosmos.query(t, &w.batchWorker, "SELECT VALUE c.round FROM c", nil)
		if len(rounds) != batchSlots || slices.Min(rounds) != slices.Max(rounds) || rounds[0] < batches[i] {
			t.Errorf("%s: the backup has rounds %v, and %d was answered before it", w.key, rounds, batches[i])
		}
		if fed := changes[w.key]; len(fed) != batchSlots || slices.Max(fed) != rounds[0] || slices.Min(fed) != rounds[0] {
			t.Errorf("%s: the backup has rounds %v, its change feed %v", w.key, rounds, fed)
		}
	}
	if err := d.items[0].write(dynamo.client); err != nil {
		t.Errorf("a write on the backup: %v", err)
	}
}
