package cosmos

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// grow raises the throughput of the container of five partitions so that they split.
func grow(t *testing.T, d *testService, rate int32) {
	t.Helper()
	container, err := d.client.NewContainer("db", "five")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := container.ReplaceThroughput(t.Context(), azcosmos.NewManualThroughputProperties(rate), nil); err != nil {
		t.Fatal(err)
	}
}

// TestQueriesContinueAcrossSplits pages through a container whose partitions split after each page, once through the
// gateway and once partition by partition, as SDKs do: they pass the token of a split partition to its children.
func TestQueriesContinueAcrossSplits(t *testing.T) {
	t.Parallel()
	five, _ := spread(t, newTestService(t), someItems())
	const enable = "X-Ms-Documentdb-Query-Enablecrosspartition"
	for _, text := range []string{"SELECT VALUE c.id FROM c", "SELECT VALUE c.id FROM c WHERE c.n < 20 AND c.f > 3"} {
		body := queryBody(text)
		want := five.drain(t, body, enable, "True")
		got, token, rate := []doc.Value{}, "", int32(30_000)
		for page := 0; page == 0 || token != ""; page++ {
			status, v, next := five.ask(t, body, enable, "True", "X-Ms-Max-Item-Count", "9", "X-Ms-Continuation", token)
			if status != http.StatusOK {
				t.Fatal(v.JSON())
			}
			got, token = append(got, v.Field("Documents").Elements()...), next
			if rate += 20_000; rate < 200_000 {
				grow(t, five.testService, rate)
			}
		}
		sameItems(t, text, got, want)
	}
}

func sameItems(t *testing.T, text string, got, want []doc.Value) {
	t.Helper()
	a, b := rowTexts(got), rowTexts(want)
	slices.Sort(a)
	slices.Sort(b)
	if !slices.Equal(a, b) {
		t.Errorf("%s: %d rows over splits, %d without:\n%v\n%v", text, len(a), len(b), a, b)
	}
}

// TestContinuationOfASplitPartitionWorksInItsChildren reads a page of each partition, splits all of them, and continues
// in the children with the tokens of the parents.
func TestContinuationOfASplitPartitionWorksInItsChildren(t *testing.T) {
	t.Parallel()
	five, _ := spread(t, newTestService(t), someItems())
	const byID = "X-Ms-Documentdb-Partitionkeyrangeid"
	for _, text := range []string{"SELECT VALUE c.id FROM c", "SELECT VALUE c.id FROM c ORDER BY c.n, c.id",
		"SELECT VALUE c.id FROM c ORDER BY c.mixed DESC"} {
		five, body := &merger{five.testService, five.path, 4}, queryBody(text)
		want := five.drain(t, body, "X-Ms-Documentdb-Query-Enablecrosspartition", "True", "X-Ms-Read-Key-Type",
			"EffectivePartitionKeyRange")
		one := five.rangesNow(t)
		got, tokens := []doc.Value{}, map[string]string{}
		for id := range one {
			status, v, token := five.ask(t, body, byID, id, "X-Ms-Max-Item-Count", "4")
			if status != http.StatusOK {
				t.Fatal(v.JSON())
			}
			got, tokens[id] = append(got, v.Field("Documents").Elements()...), token
		}
		grow(t, five.testService, int32(20_000*len(one)))
		for id, parents := range five.rangesNow(t) {
			parent := id
			for _, p := range parents {
				if _, was := tokens[p]; was {
					parent = p
				}
			}
			if token := tokens[parent]; token != "" {
				got = append(got, five.rest(t, body, id, token)...)
			}
			if status, _, _ := five.ask(t, body, byID, parent); parent != id && status != http.StatusGone {
				t.Errorf("partition %s was split, and answers %d", parent, status)
			}
		}
		sameItems(t, text, got, want)
	}
}

// rest reads what follows a token in a partition.
func (m *merger) rest(t *testing.T, body []byte, id, token string) []doc.Value {
	t.Helper()
	rows := []doc.Value{}
	for token != "" {
		status, v, next := m.ask(t, body, "X-Ms-Documentdb-Partitionkeyrangeid", id, "X-Ms-Max-Item-Count",
			strconv.Itoa(m.page), "X-Ms-Continuation", token)
		if status != http.StatusOK {
			t.Fatalf("%s: %s", id, v.JSON())
		}
		rows, token = append(rows, v.Field("Documents").Elements()...), next
	}
	return rows
}

// rangesNow returns the ids of the physical partitions and of their parents.
func (m *merger) rangesNow(t *testing.T) map[string][]string {
	t.Helper()
	w := m.do(t, http.MethodGet, "/dbs/db/colls/five/pkranges", http.Header{}, nil)
	all := map[string][]string{}
	for _, p := range parsed(t, w.Body.Bytes()).Field("PartitionKeyRanges").Elements() {
		parents := []string{}
		for _, id := range p.Field("parents").Elements() {
			parents = append(parents, id.Str())
		}
		all[p.Field("id").Str()] = parents
	}
	return all
}
