package cosmos

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// spread creates a container of five physical partitions and one of a single logical partition, with the same items.
// The items of the latter have the partition key all, and their partition key in the former as part.
func spread(t *testing.T, d *testService, items []string) (five, one *merger) {
	t.Helper()
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	const policies = `"fullTextPolicy":{"defaultLanguage":"en-US","fullTextPaths":[{"path":"/text","language":"en-US"}]},` +
		`"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32","distanceFunction":"euclidean","dimensions":2}]},` +
		`"indexingPolicy":{"includedPaths":[{"path":"/*"}],"fullTextIndexes":[{"path":"/text"}],"vectorIndexes":[{"path":"/v","type":"flat"}],` +
		`"compositeIndexes":[[{"path":"/n"},{"path":"/id"}],[{"path":"/n","order":"descending"},{"path":"/id"}],[{"path":"/f","order":"descending"},{"path":"/id"}],` +
		`[{"path":"/f"},{"path":"/id"}],[{"path":"/mixed"},{"path":"/id"}],[{"path":"/o/x","order":"descending"},{"path":"/id"}]]}`
	for name, rate := range map[string]string{"five": "30000", "one": "400"} {
		w := d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: "+rate+"\n"+`{"id":"`+name+
			`","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},`+policies+`}`)
		if w.Code != http.StatusCreated {
			t.Fatal(w.Body)
		}
	}
	for i, item := range items {
		part := fmt.Sprintf("p%d", i%17)
		for name, key := range map[string]string{"five": part, "one": "all"} {
			body := fmt.Sprintf(`{"id":"%03d","pk":%q,"part":%q,%s}`, i, key, part, item)
			if w := d.send(t, http.MethodPost, "/dbs/db/colls/"+name+"/docs\npk: [\""+key+"\"]\n"+
				body); w.Code != http.StatusCreated {
				t.Fatal(w.Body)
			}
		}
	}
	return &merger{d, "/dbs/db/colls/five/docs", 7}, &merger{d, "/dbs/db/colls/one/docs", 0}
}

// someItems returns the members of items with values of all kinds.
func someItems() []string {
	mixed := []string{"null", "true", "false", "3", "-1.5", `"b"`, `"a"`}
	words := []string{"storm", "sea", "calm", "wind", "rain"}
	items := make([]string, 110)
	for i := range items {
		items[i] = fmt.Sprintf(
			`"n":%d,"f":%d.5,"flag":%t,"o":{"x":%d},"tags":["a%d","b"],"text":"a %s and a %s, and %s","v":[%d,%d]`,
			i%23, (i*37)%110, i%3 == 0, i%5, i%4, words[i%5], words[i%3], strings.Repeat("water ", i%7), i%13, i%11)
		if i%2 == 0 {
			items[i] += fmt.Sprintf(`,"maybe":"m%d"`, i%6)
		}
		if i%8 < 7 {
			items[i] += `,"mixed":` + mixed[i%8]
		}
	}
	return items
}

func TestMergedRowsMatchSinglePartition(t *testing.T) {
	t.Parallel()
	five, one := spread(t, newTestService(t), someItems())
	file, err := os.Open("testdata/cross_partition_queries.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	for lines := bufio.NewScanner(file); lines.Scan(); {
		mode, query, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			compareRows(t, mode, rowTexts(five.query(t, query)),
				rowTexts(one.drain(t, queryBody(query), "X-Ms-Documentdb-Partitionkey", `["all"]`)))
		})
	}
}

func compareRows(t *testing.T, mode string, got, want []string) {
	t.Helper()
	switch mode {
	case "rows":
		slices.Sort(got)
		slices.Sort(want)
	case "count":
		if len(got) == len(want) {
			return
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d rows over partitions:\n%s\n%d rows in one:\n%s", len(got), strings.Join(got, "\n"), len(want),
			strings.Join(want, "\n"))
	}
}

// rowTexts returns rows without the members that differ between containers.
func rowTexts(rows []doc.Value) []string {
	all := make([]string, len(rows))
	for i, r := range rows {
		for _, system := range []string{"pk", "_rid", "_self", "_etag", "_ts"} {
			if r.Kind() == doc.Map {
				r = r.Without(system)
			}
		}
		all[i] = canonical(r)
	}
	return all
}
