package cosmos

import (
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

const batched = "pk: [\"a\"]\nx-ms-cosmos-is-batch-request: True\nx-ms-cosmos-batch-atomic: True\n"

// TestFailedBatchIsCharged compares the charge of a batch with those of its operations.
func TestFailedBatchIsCharged(t *testing.T) {
	t.Parallel()
	w := shared(t).send(t, http.MethodPost, "/dbs/db/colls/c/docs\n"+batched+
		`[{"operationType":"Create","resourceBody":{"id":"new","pk":"a"}},{"operationType":"Delete","id":"none"},{"operationType":"Read","id":"1"}]`)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil || w.Code != http.StatusMultiStatus {
		t.Fatal(w.Code, w.Body)
	}
	sum := 0.0
	for _, one := range v.Elements() {
		sum += one.Field("requestCharge").Float()
	}
	if got, err := strconv.ParseFloat(header(w, "x-ms-request-charge"), 64); err != nil || math.Abs(got-sum) > 0.1 {
		t.Errorf("the batch costs %v, its operations %v", got, sum)
	}
}

// TestBatchOperationCanOmitItsItem checks which operations of a batch have their item in the response.
func TestBatchOperationCanOmitItsItem(t *testing.T) {
	t.Parallel()
	w := shared(t).send(t, http.MethodPost, "/dbs/db/colls/c/docs\n"+batched+
		`[{"operationType":"Create","resourceBody":{"id":"new","pk":"a"}},{"operationType":"Upsert","resourceBody":{"id":"new","pk":"a"},"minimalReturnPreference":true},`+
		`{"operationType":"Read","id":"1","minimalReturnPreference":true}]`)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
	for i, want := range []bool{true, false, true} {
		if got := v.Elements()[i].Field("resourceBody").Defined(); got != want {
			t.Errorf("operation %d has its item in the answer: %v", i, got)
		}
	}
}

// TestUserHasOnePermissionPerPartitionKey checks which permissions of a user may coexist.
func TestUserHasOnePermissionPerPartitionKey(t *testing.T) {
	t.Parallel()
	d := shared(t)
	const resource = `"permissionMode":"read","resource":"dbs/db/colls/c"`
	for _, c := range []struct {
		permission string
		status     int
	}{
		{`{"id":"all",` + resource + `}`, http.StatusCreated},
		{`{"id":"again",` + resource + `}`, http.StatusConflict},
		{`{"id":"a",` + resource + `,"resourcePartitionKey":["a"]}`, http.StatusCreated},
		{`{"id":"b",` + resource + `,"resourcePartitionKey":["b"]}`, http.StatusCreated},
		{`{"id":"bb",` + resource + `,"resourcePartitionKey":["b"]}`, http.StatusConflict},
	} {
		if w := d.send(t, http.MethodPost, "/dbs/db/users/ada/permissions\n"+c.permission); w.Code != c.status {
			t.Errorf("%s: %d, not %d", c.permission, w.Code, c.status)
		}
	}
}

// TestListsHaveNoEmptyLastPage checks that a full last page is not followed by an empty one.
func TestListsHaveNoEmptyLastPage(t *testing.T) {
	t.Parallel()
	w := shared(t).send(t, http.MethodGet, "/dbs/db/colls\nx-ms-max-item-count: 2\n")
	if header(w, "x-ms-item-count") != "2" || header(w, "x-ms-continuation") != "" {
		t.Error(w.Code, w.Header())
	}
}

// TestAccountReportsMediaStorage checks headers that the Java SDK needs to read the account.
func TestAccountReportsMediaStorage(t *testing.T) {
	t.Parallel()
	w := shared(t).send(t, http.MethodGet, "/\n")
	if w.Code != http.StatusOK || header(w, "x-ms-max-media-storage-usage-mb") != "2048" ||
		header(w, "x-ms-media-storage-usage-mb") != "0" {
		t.Error(w.Code, w.Header())
	}
}

// header returns the value of a header in lower case, as the service writes it.
func header(w *httptest.ResponseRecorder, name string) string {
	return strings.Join(w.Header()[name], ",")
}

// TestReadIgnoresSessionTokensOfOtherPartitions checks which session tokens make a read fail because the partition has
// not reached them.
func TestReadIgnoresSessionTokensOfOtherPartitions(t *testing.T) {
	t.Parallel()
	d := shared(t)
	d.send(t, http.MethodPost, "/dbs/db/colls\nx-ms-offer-throughput: 12000\n"+
		`{"id":"wide","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`)
	w := d.send(t, http.MethodPost, "/dbs/db/colls/wide/docs\npk: [\"a\"]\n"+`{"id":"1","pk":"a"}`)
	own, _, _ := strings.Cut(header(w, "x-ms-session-token"), ":")
	other := map[string]string{"0": "1", "1": "0"}[own]
	for token, status := range map[string]int{
		other + ":-1#100000000": http.StatusOK,
		own + ":-1#100000000":   http.StatusNotFound,
		other + ":-1#100000000," + header(w, "x-ms-session-token"): http.StatusOK,
		"2:-1#100000000": http.StatusNotFound, // of a partition that no longer exists
	} {
		if got := d.send(t, http.MethodGet, "/dbs/db/colls/wide/docs/1\npk: [\"a\"]\nx-ms-session-token: "+token+
			"\n"); got.Code != status {
			t.Errorf("%s, where the item's is of %s: %d %s", token, own, got.Code, got.Body)
		}
	}
}
