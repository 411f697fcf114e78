package cosmos

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// TestItemsCanBeAddressedBySelfLink reads and deletes an item by its _self, as azure-cosmos does if the caller
// passes the whole item.
func TestItemsCanBeAddressedBySelfLink(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	items := d.newContainer(t, "c")
	key := azcosmos.NewPartitionKeyString("k")
	made, err := items.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"k"}`),
		&azcosmos.ItemOptions{EnableContentResponseOnWrite: true})
	if err != nil {
		t.Fatal(err)
	}
	var item struct {
		Self string `json:"_self"`
	}
	if err := json.Unmarshal(made.Value, &item); err != nil {
		t.Fatal(err)
	}
	head := http.Header{"X-Ms-Documentdb-Partitionkey": {`["k"]`}}
	for _, step := range []struct {
		method string
		status int
	}{{"GET", 200}, {"DELETE", 204}, {"GET", 404}} {
		if w := d.do(t, step.method, "/"+item.Self, head, nil); w.Code != step.status {
			t.Errorf("%s %s: %d %s, not %d", step.method, item.Self, w.Code, w.Body, step.status)
		}
	}
	if w := d.do(t, "GET", "/"+item.Self[:len(item.Self)-9]+"AAAA/", head, nil); w.Code != 400 && w.Code != 404 {
		t.Errorf("a broken link: %d %s", w.Code, w.Body)
	}
}
