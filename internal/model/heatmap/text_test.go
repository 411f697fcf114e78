package heatmap_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	table := heatmap.Table{
		Resource:   "orders",
		Partitions: []heatmap.Partition{{ID: 2}, {ID: 3, Parent: 1, Lo: []byte{0x80, 0, 0, 0}}},
		Minutes: []heatmap.Minute{
			{At: noon, Partitions: []heatmap.PartitionLoad{{ID: 1, Write: 30_000}},
				Keys: []heatmap.KeyLoad{{Key: "a\n", Write: 30_000}}},
			{At: noon.Add(2 * time.Minute), Partitions: []heatmap.PartitionLoad{{ID: 2, Read: 9_000},
				{ID: 3, Write: 60_000, Throttled: 7}},
				Keys: []heatmap.KeyLoad{{Key: "hot", Write: 60_000, Throttled: 7}, {Key: "b", Read: 9_000}}},
		},
	}
	var out strings.Builder
	if err := table.Write(&out, 60); err != nil {
		t.Fatal(err)
	}
	const want = `orders  2026-11-21 12:00 to 12:03 UTC
   2 00000000 │  ░│ 9000 read units
   3 80000000 │  ✕│ 60000 write units, 7 throttled
   1 split    │▓  │ 30000 write units
              █ is 100.0% of a partition's throughput; ✕ marks throttled requests
hottest keys
  hot                      60000 write units, 7 throttled
  a\n                      30000 write units
  b                        9000 read units
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	if err := table.Write(&out, 1); err != nil || strings.Contains(out.String(), "split") {
		t.Errorf("of one minute: %v\n%s", err, out.String())
	}
	out.Reset()
	quiet := heatmap.Table{Resource: "carts"}
	if err := quiet.Write(&out, 60); err != nil || out.String() != "carts  no traffic in the last 3 hours\n" {
		t.Errorf("%v %q", err, out.String())
	}
}
