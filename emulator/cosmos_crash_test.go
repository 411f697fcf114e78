package emulator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestKilledBatchesAreAtomic kills an emulator during transactional batches on Cosmos DB, repeatedly. After
// each kill every acknowledged batch is there and no batch is there in part: not in the items, not in the indexes, not
// in the unique keys.
func TestKilledBatchesAreAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	workers := make([]*batchWorker, 8)
	for i := range workers {
		workers[i] = &batchWorker{key: fmt.Sprintf("w%d", i)}
	}
	for n := range crashes {
		p := startCosmosProcess(t, dir)
		if n == 0 {
			p.makeContainer(t)
		}
		p.checkBatches(t, workers)
		killDuring(t, p.emulatorProcess, 200, workers, func(w *batchWorker) error { return w.write(p.items) })
		if t.Failed() {
			t.Fatalf("after kill %d", n+1)
		}
	}
	p := startCosmosProcess(t, dir)
	p.checkBatches(t, workers)
	p.kill()
}

// cosmosProcess is an emulator in a process of its own, with its container.
type cosmosProcess struct {
	*emulatorProcess
	client *azcosmos.Client
	items  *azcosmos.ContainerClient
}

func startCosmosProcess(t *testing.T, dir string) *cosmosProcess {
	t.Helper()
	process, _, url := startProcess(t, dir)
	v := &cosmosProcess{emulatorProcess: process}
	key, err := azcosmos.NewKeyCredential(emulator.CosmosKey)
	if err != nil {
		t.Fatal(err)
	}
	v.client, err = azcosmos.NewClientWithKey(url, key, &azcosmos.ClientOptions{
		// retries would reach the next emulator
		ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if v.items, err = v.client.NewContainer("crash", "batches"); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v *cosmosProcess) makeContainer(t *testing.T) {
	t.Helper()
	if _, err := v.client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "crash"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := v.client.NewDatabase("crash")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.CreateContainer(t.Context(), azcosmos.ContainerProperties{
		ID:                     "batches",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2},
		UniqueKeyPolicy: &azcosmos.UniqueKeyPolicy{UniqueKeys: []azcosmos.UniqueKey{
			{Paths: []string{"/slot", "/round"}}}},
	}, nil); err != nil {
		t.Fatal(err)
	}
}

// batchWorker writes all items of its own partition key in each batch, and knows which round must be there.
type batchWorker struct {
	key          string
	acknowledged int // last acknowledged round; 0: none
	pending      int // round without a response; 0: none
}

const batchSlots = 20

type batchItem struct {
	ID    string `json:"id"`
	PK    string `json:"pk"`
	Slot  int    `json:"slot"`
	Round int    `json:"round"`
}

// write writes a round: it replaces some items, and deletes and creates the others.
func (w *batchWorker) write(items *azcosmos.ContainerClient) error {
	w.pending = w.acknowledged + 1
	batch := items.NewTransactionalBatch(azcosmos.NewPartitionKeyString(w.key))
	for slot := range batchSlots {
		id := fmt.Sprintf("%s-%d", w.key, slot)
		body, err := json.Marshal(batchItem{id, w.key, slot, w.pending})
		if err != nil {
			return err
		}
		if slot%3 != 0 || w.acknowledged == 0 {
			batch.UpsertItem(body, nil)
			continue
		}
		batch.DeleteItem(id, nil)
		batch.CreateItem(body, nil)
	}
	answer, err := items.ExecuteTransactionalBatch(context.Background(), batch, nil)
	if err == nil && !answer.Success {
		err = fmt.Errorf("round %d was refused: %v", w.pending, answer.OperationResults)
	}
	if err == nil {
		w.acknowledged, w.pending = w.pending, 0
	}
	return err
}

// checkBatches compares the items with what the workers know.
func (v *cosmosProcess) checkBatches(t *testing.T, workers []*batchWorker) {
	t.Helper()
	for _, w := range workers {
		rounds := v.query(t, w, "SELECT VALUE c.round FROM c", nil)
		round := 0
		if len(rounds) > 0 {
			round = rounds[0]
		}
		for _, other := range rounds {
			if other != round {
				t.Fatalf("%s finds rounds %v: a batch by half", w.key, rounds)
			}
		}
		if round != w.acknowledged && (w.pending == 0 || round != w.pending) || round > 0 && len(rounds) != batchSlots {
			t.Fatalf("%s finds %d items of round %d, and wrote %d and perhaps %d", w.key, len(rounds), round,
				w.acknowledged, w.pending)
		}
		if found := v.query(t, w, "SELECT VALUE c.slot FROM c WHERE c.round = @round", &round); round > 0 &&
			len(found) != batchSlots {
			t.Fatalf("%s finds %d items by an index, of %d", w.key, len(found), batchSlots)
		}
		w.acknowledged, w.pending = round, 0
	}
}

// changes returns the rounds of each worker's items, by its key, from the whole change feed.
func (v *cosmosProcess) changes(t *testing.T) map[string][]int {
	t.Helper()
	found := map[string][]int{}
	options := azcosmos.ChangeFeedOptions{FeedRange: &azcosmos.FeedRange{MaxExclusive: "FF"}, MaxItemCount: 7}
	for {
		page, err := v.items.ReadChangeFeed(t.Context(), &options)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Items) == 0 {
			return found
		}
		for _, text := range page.Items {
			var one batchItem
			if err := json.Unmarshal(text, &one); err != nil {
				t.Fatal(err)
			}
			found[one.PK] = append(found[one.PK], one.Round)
		}
		options.Continuation = &page.ContinuationToken
	}
}

func (v *cosmosProcess) query(t *testing.T, w *batchWorker, text string, round *int) (found []int) {
	t.Helper()
	options := &azcosmos.QueryOptions{}
	if round != nil {
		options.QueryParameters = []azcosmos.QueryParameter{{Name: "@round", Value: *round}}
	}
	pages := v.items.NewQueryItemsPager(text, azcosmos.NewPartitionKeyString(w.key), options)
	for pages.More() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Items {
			var n int
			if err := json.Unmarshal(row, &n); err != nil {
				t.Fatal(err)
			}
			found = append(found, n)
		}
	}
	return found
}
