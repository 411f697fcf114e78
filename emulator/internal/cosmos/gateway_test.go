package cosmos

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestGatewaysNormalizePaths creates items with unusual ids and reads them through both gateways.
func TestGatewaysNormalizePaths(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	routing := d.newContainer(t, "c")
	compute := httptest.NewServer(d.ComputeGateway())
	t.Cleanup(compute.Close)
	d.url = compute.URL
	other, err := d.newClient(t).NewContainer("db-c", "c")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{
		"plain": 200, " blank before": 200, "a ? in it": 200, "鱀": 200,
		"blank behind ": 401, "again%20": 401, "%E9%B1%80": 401, "a/b": 401, `a\b`: 401, "a#b": 401,
		"a\tb": 400, "a\nb": 400, "a\rb": 400,
	} {
		key := azcosmos.NewPartitionKeyString("k")
		body := string(doc.Append(nil, doc.Object(doc.Member{Name: "pk", Value: doc.String("k")},
			doc.Member{Name: "id", Value: doc.String(id)})))
		if _, err := routing.CreateItem(t.Context(), key, []byte(body), nil); err != nil {
			t.Fatalf("%q is not created: %v", id, err)
		}
		if _, err := other.ReadItem(t.Context(), key, id, nil); err != nil {
			t.Errorf("%q by the compute gateway: %v", id, err)
		}
		if got := readStatus(t, routing, key, id); got != want {
			t.Errorf("%q by the routing gateway: %d, not %d", id, got, want)
		}
	}
}

func readStatus(t *testing.T, container *azcosmos.ContainerClient, key azcosmos.PartitionKey, id string) int {
	t.Helper()
	_, err := container.ReadItem(t.Context(), key, id, nil)
	var refused *azcore.ResponseError
	if errors.As(err, &refused) {
		return refused.StatusCode
	}
	if err != nil {
		t.Fatal(err)
	}
	return http.StatusOK
}
