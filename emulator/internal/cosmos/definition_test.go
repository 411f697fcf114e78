package cosmos

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestStoredDefinitionsAreNotValidatedAgain opens a store with a container that breaks one of today's rules for new
// containers, for each rule: the container and its items must be readable.
func TestStoredDefinitionsAreNotValidatedAgain(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]string{
		"levels":        `"partitionKey":{"paths":["/pk","/b","/c","/d"],"kind":"MultiHash","version":2}`,
		"mode":          `"indexingPolicy":{"indexingMode":"eager"}`,
		"path":          `"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"a?"}]}`,
		"twice":         `"indexingPolicy":{"includedPaths":[{"path":"/*"},{"path":"/a/?"},{"path":"/a/?"}]}`,
		"no root":       `"indexingPolicy":{"includedPaths":[{"path":"/a/?"}]}`,
		"composite":     `"indexingPolicy":{"compositeIndexes":[[{"path":"/a"}],[{"path":"a"},{"path":"/b"}]]}`,
		"spatial":       `"indexingPolicy":{"spatialIndexes":[{"path":"a","types":["Cube"]}]}`,
		"vectors":       `"vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"a"}]}`,
		"full text":     `"fullTextPolicy":{"fullTextPaths":[{"path":"a"}]}`,
		"computed":      `"computedProperties":[{"name":"a","query":"SELECT"},{"name":1}]`,
		"no list":       `"computedProperties":{}`,
		"retention":     `"changeFeedPolicy":{"retentionDuration":99999999}`,
		"unique":        `"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["a"]},{"paths":["/b","/b"]},{"paths":[]}]}`,
		"encryption":    `"clientEncryptionPolicy":{"includedPaths":[{"path":"/a"}],"policyFormatVersion":9}`,
		"time":          `"defaultTtl":0.5`,
		"path of times": `"ttlPropertyPath":"/until"`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			openBroken(t, broken)
		})
	}
}

// openBroken stores an item in a container, replaces members of the stored definition, and reloads the service.
func openBroken(t *testing.T, members string) {
	t.Helper()
	d := newTestService(t)
	d.mustSend(t, http.MethodPost, "/dbs\n{\"id\":\"db\"}")
	d.mustSend(t, http.MethodPost,
		"/dbs/db/colls\n{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}")
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"1\"]\n{\"id\":\"one\",\"pk\":\"1\"}")
	if err := d.Replace(t.Context(), func() error { return d.redefine(members) }); err != nil {
		t.Fatal(err)
	}
	d.mustSend(t, http.MethodGet, "/dbs/db/colls/c")
	if strings.Contains(members, "partitionKey") {
		return
	}
	d.mustSend(t, http.MethodGet, "/dbs/db/colls/c/docs/one\npk: [\"1\"]")
	d.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"1\"]\n{\"id\":\"two\",\"pk\":\"1\"}")
}

// redefine replaces members of the only container's definition in the store.
func (d *testService) redefine(members string) error {
	changed, err := doc.Parse([]byte("{" + members + "}"))
	if err != nil {
		return err
	}
	return d.store.Update(store.Latch(), func(tx *store.Tx) error {
		it := tx.Iter(nil, nil, false)
		defer it.Close()
		for it.Next() {
			v, err := doc.Parse(it.Value())
			if err != nil || !v.Field("definition").Defined() {
				continue
			}
			definition := v.Field("definition")
			for _, m := range changed.Members() {
				definition = definition.With(m.Name, m.Value)
			}
			if err := tx.Set(bytes.Clone(it.Key()), doc.Append(nil, v.With("definition", definition))); err != nil {
				return err
			}
		}
		return it.Close()
	})
}
