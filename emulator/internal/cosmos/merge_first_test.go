package cosmos

import (
	"strconv"
	"sync"
	"testing"
)

// TestConcurrentFirstQueriesSeeAllItems checks that a query which uses an index just built by another query reads all
// of its entries.
func TestConcurrentFirstQueriesSeeAllItems(t *testing.T) {
	t.Parallel()
	items := someItems()
	body := queryBody(`SELECT VALUE c.id FROM c ORDER BY c.n, c.id`)
	for range 5 {
		five, _ := spread(t, newTestService(t), items)
		var all sync.WaitGroup
		counts := make([]int, 5)
		for i := range counts {
			all.Go(func() {
				counts[i] = len(five.drain(t, body, "X-Ms-Documentdb-Partitionkeyrangeid", strconv.Itoa(i)))
			})
		}
		all.Wait()
		sum := 0
		for _, n := range counts {
			sum += n
		}
		if sum != len(items) {
			t.Fatalf("%v of %d items", counts, len(items))
		}
	}
}
