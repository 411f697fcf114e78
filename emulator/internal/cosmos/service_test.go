package cosmos

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// testService is a service for a test, on a manual clock, with its clients.
type testService struct {
	*Service
	clock  *clock.Clock
	store  *store.Store
	url    string
	client *azcosmos.Client
}

var start = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// newTestService starts a service for a test. Options change its configuration.
func newTestService(t testing.TB, options ...func(*Config)) *testService {
	t.Helper()
	d := &testService{clock: clock.Manual(start)}
	var err error
	if d.store, err = store.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.store.Close() })
	config := Config{Store: d.store, Clock: d.clock, Seed: 1}
	for _, option := range options {
		option(&config)
	}
	if d.Service, err = New(config); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.Service)
	t.Cleanup(server.Close)
	d.url = server.URL
	d.client = d.newClient(t)
	return d
}

// newClient returns a client of the SDK that does not retry.
func (d *testService) newClient(t testing.TB) *azcosmos.Client {
	t.Helper()
	key, err := azcosmos.NewKeyCredential(masterkey.WellKnownKey)
	if err != nil {
		t.Fatal(err)
	}
	client, err := azcosmos.NewClientWithKey(d.url, key, &azcosmos.ClientOptions{
		ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// newContainer creates a container, partitioned by /pk, in a new database.
func (d *testService) newContainer(t *testing.T, name string,
	change ...func(*azcosmos.ContainerProperties)) *azcosmos.ContainerClient {
	t.Helper()
	if _, err := d.client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db-" + name}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := d.client.NewDatabase("db-" + name)
	if err != nil {
		t.Fatal(err)
	}
	properties := azcosmos.ContainerProperties{ID: name, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Paths: []string{"/pk"}, Version: 2}}
	for _, c := range change {
		c(&properties)
	}
	if _, err := db.CreateContainer(t.Context(), properties, nil); err != nil {
		t.Fatal(err)
	}
	container, err := db.NewContainer(name)
	if err != nil {
		t.Fatal(err)
	}
	return container
}
