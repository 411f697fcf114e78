package cosmos

import (
	"net/http"
	"testing"
)

// TestSplitChangesTheETagOfThePartitionKeyRanges splits the first of two partitions by more throughput: a client that
// refreshes its ranges with the previous ETag must get the new ones, whichever partition was split.
func TestSplitChangesTheETagOfThePartitionKeyRanges(t *testing.T) {
	t.Parallel()
	five, _ := spread(t, newTestService(t), nil)
	etag, rate := "", int32(60_000)
	for range 4 {
		header := http.Header{"A-Im": {"Incremental Feed"}, "If-None-Match": {etag}}
		w := five.do(t, http.MethodGet, "/dbs/db/colls/five/pkranges", header, nil)
		if w.Code != http.StatusOK {
			t.Fatalf("after a split, the ETag %s is answered %d", etag, w.Code)
		}
		etag = w.Header().Get("Etag")
		header.Set("If-None-Match", etag)
		if w := five.do(t, http.MethodGet, "/dbs/db/colls/five/pkranges", header, nil); w.Code != http.StatusNotModified {
			t.Fatalf("without a split, the ETag %s is answered %d", etag, w.Code)
		}
		grow(t, five.testService, rate)
		rate += 10_000 // one more partition
	}
}
