package cosmos

import (
	"net/http"
	"strings"
	"testing"
)

// TestReplacingAComputedPropertyDropsItsIndex replaces the query of an indexed computed property: the old index must be
// dropped, and queries must find the new values, also after a restart.
func TestReplacingAComputedPropertyDropsItsIndex(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	items := d.withComputed(t)
	fill(t, items, 30, 1)
	c := d.Catalog.Container("db-things", "things")
	const query = `SELECT VALUE c.id FROM c WHERE c.cp_low = "item 007"`
	if got := only(t, items, query); got != `"7"` || len(c.Indexes.List()) != 1 {
		t.Fatalf("%s, %d indexes", got, len(c.Indexes.List()))
	}
	computed := strings.Replace(testComputed, "LOWER(c.text)", "CONCAT('item 00', ToString(c.n - 1))", 1)
	if w := d.send(t, http.MethodPut, "/dbs/db-things/colls/things\n"+
		`{"id":"things","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2},"indexingPolicy":`+testPolicy+
		`,"computedProperties":`+computed+`}`); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if n := len(c.Indexes.List()); n != 0 {
		t.Errorf("%d indexes are left of the property as it was", n)
	}
	if got := only(t, items, query); got != `"8"` || len(c.Indexes.List()) != 1 {
		t.Errorf("%s, %d indexes", got, len(c.Indexes.List()))
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := New(Config{Store: d.store, Clock: d.clock, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := again.Catalog.Container("db-things", "things").Indexes.List()
	if len(all) != 1 || !all[0].Ready.Load() || all[0].Spec.Name() != c.Indexes.List()[0].Spec.Name() {
		t.Errorf("after a restart: %+v", all)
	}
}

// TestVolatilePropertiesOfOlderContainersAreComputed stores a computed property that calls NOW, as earlier versions
// did: queries see its values, and no index has them. A client cannot create one.
func TestVolatilePropertiesOfOlderContainersAreComputed(t *testing.T) {
	t.Parallel()
	d := newTestService(t).indexed(true)
	items := d.newContainer(t, "things")
	fill(t, items, 30, 1)
	const members = `"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/late/?"}]},` +
		`"computedProperties":[{"name":"late","query":"SELECT VALUE c.n > 27 AND IS_DEFINED(NOW()) FROM c"}]`
	if err := d.Replace(t.Context(), func() error { return d.redefine(members) }); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"SELECT VALUE c.id FROM c WHERE c.late":                                         `"28","29"`,
		"SELECT VALUE c.id FROM c WHERE c.late = true ORDER BY c.late OFFSET 1 LIMIT 1": `"29"`,
	} {
		if got := only(t, items, query); got != want {
			t.Errorf("%s: %s, not %s", query, got, want)
		}
	}
	for _, x := range d.Catalog.Container("db-things", "things").Indexes.List() {
		if len(x.Spec.Paths) > 0 {
			t.Error("a query built the index", x.Spec.Name())
		}
	}
	if w := d.send(t, http.MethodPost, "/dbs/db-things/colls\n"+`{"id":"new","partitionKey":{"paths":["/pk"]},`+members+
		"}"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "must not call NOW") {
		t.Error(w.Code, w.Body)
	}
}
