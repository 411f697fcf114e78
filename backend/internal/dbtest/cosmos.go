package dbtest

import (
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// Cosmos starts an emulator for the test, with its clock stopped at Start, and returns it with a client of its Cosmos
// DB. The client uses transport (http.DefaultTransport when nil) and does not retry, so that a test sees every request.
func Cosmos(t testing.TB, transport http.RoundTripper, options ...emulator.Option) (*emulator.Emulator,
	*azcosmos.Client) {
	t.Helper()
	db := emulator.Run(t, append(CosmosOptions(), options...)...)
	return db, CosmosClient(t, db, transport)
}

// CosmosOptions returns the options of an emulator with Cosmos DB over HTTP, with its clock stopped at Start.
func CosmosOptions() []emulator.Option {
	return []emulator.Option{emulator.WithManualClock(Start()), emulator.WithCosmosAddr(""),
		emulator.WithCosmosHTTPAddr("127.0.0.1:0")}
}

// CosmosClient returns a client of an emulator's Cosmos DB, as Cosmos does.
func CosmosClient(t testing.TB, db *emulator.Emulator, transport http.RoundTripper) *azcosmos.Client {
	t.Helper()
	client, err := cosmosclient.New(db, &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
		Transport: &http.Client{Transport: transport}, Retry: policy.RetryOptions{MaxRetries: -1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return client
}
