package cosmos

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// scenario is a query over partitions from the tests of Microsoft's Rust driver.
type scenario struct {
	Table, ID, Query string
	Parameters       []struct {
		Name  string
		Value json.RawMessage
	}
	Documents      []json.RawMessage
	ExpectedIDs    []string
	ExpectedValues json.RawMessage
	ExpectedCount  *int
}

func TestDriverScenarios(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/driver_scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Scenarios []*scenario }
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, s := range table.Scenarios {
		t.Run(s.Table+"/"+s.ID, func(t *testing.T) {
			t.Parallel()
			s.run(t)
		})
	}
}

func (s *scenario) run(t *testing.T) {
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 30000\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},`+
		`"indexingPolicy":{"includedPaths":[{"path":"/*"}],"compositeIndexes":[[{"path":"/rank"},{"path":"/name","order":"descending"}]]}}`)
	for _, text := range s.Documents {
		v := parsed(t, text)
		if w := d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: "+doc.PartitionKey{v.Field("pk")}.String()+"\n"+
			string(text)); w.Code != http.StatusCreated {
			t.Fatal(w.Body)
		}
	}
	var parameters []any
	for _, p := range s.Parameters {
		parameters = append(parameters, p.Name, parsed(t, p.Value))
	}
	for _, page := range []int{1, 2, 100} {
		m := &merger{d, "/dbs/db/colls/c/docs", page}
		s.check(t, m.query(t, s.Query, parameters...))
	}
}

func parsed(t *testing.T, text []byte) doc.Value {
	t.Helper()
	v, err := doc.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func (s *scenario) check(t *testing.T, rows []doc.Value) {
	t.Helper()
	mode, got, want := "rows", rowTexts(rows), []string{}
	if strings.Contains(s.Query, "ORDER BY") {
		mode = "same"
	}
	switch {
	case s.ExpectedCount != nil:
		if len(rows) != *s.ExpectedCount {
			t.Errorf("%d rows, not %d", len(rows), *s.ExpectedCount)
		}
		return
	case len(s.ExpectedValues) > 2: // []
		for _, v := range parsed(t, s.ExpectedValues).Elements() {
			want = append(want, canonical(v))
		}
	default:
		want = s.ExpectedIDs
		for i, r := range rows {
			got[i] = r.Field("id").Str()
		}
	}
	compareRows(t, mode, got, want)
}
