package emulator_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/internal/explore"
)

// traced adds a trace to each request.
type traced string

func (t traced) Do(r *policy.Request) (*http.Response, error) {
	r.Raw().Header.Set("traceparent", string(t))
	return r.Next()
}

// TestExplorationsRecordTheTracesOfRequests sends a request of a trace to each cloud.
func TestExplorationsRecordTheTracesOfRequests(t *testing.T) {
	t.Parallel()
	const xray, w3c = "Root=1-5759e988-bd862e3fe1be46a994272793", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	var mu sync.Mutex
	var recorded []string
	e := emulator.Run(t, emulator.WithExploration(nil, func(r explore.Request) {
		mu.Lock()
		defer mu.Unlock()
		recorded = append(recorded, r.Operation+" "+r.Trace)
	}))
	response, err := http.DefaultClient.Do(request(t, e, "ListTables", strings.NewReader("{}"), "X-Amzn-Trace-Id", xray))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	account, err := cosmosclient.New(e, &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
		PerCallPolicies: []policy.Policy{traced(w3c)}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := account.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"ListTables " + xray, "CreateDatabase " + w3c} {
		if !slices.Contains(recorded, want) {
			t.Errorf("recorded %q, without %q", recorded, want)
		}
	}
}
