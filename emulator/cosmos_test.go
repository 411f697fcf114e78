package emulator_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
)

// makeContainer creates shop/orders, partitioned by /pk. throughput may be nil.
func makeContainer(t *testing.T, db *emulator.Emulator,
	throughput *azcosmos.ThroughputProperties) *azcosmos.ContainerClient {
	t.Helper()
	client, err := cosmosclient.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	shop, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}},
		&azcosmos.CreateContainerOptions{ThroughputProperties: throughput}); err != nil {
		t.Fatal(err)
	}
	orders, err := shop.NewContainer("orders")
	if err != nil {
		t.Fatal(err)
	}
	return orders
}

func TestCosmosAnswersByBothProtocols(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithCosmosHTTPAddr("127.0.0.1:0"))
	client, err := cosmosclient.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "desk"}, nil)
	if err != nil || made.DatabaseProperties.ID != "desk" {
		t.Fatalf("%+v, %v", made.DatabaseProperties, err)
	}
	key, err := azcosmos.NewKeyCredential(emulator.CosmosKey)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := azcosmos.NewClientWithKey(db.CosmosHTTPURL(), key, nil)
	if err != nil {
		t.Fatal(err)
	}
	desk, err := plain.NewDatabase("desk")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := desk.Read(t.Context(), nil); err != nil {
		t.Errorf("by http: %v", err)
	}
}

func TestCosmosServesHTTP2WithItsCertificate(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	text, err := db.CosmosCertificate()
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	addr := db.CosmosURL()[len("https://") : len(db.CosmosURL())-1]
	conn, err := tls.Dial("tcp", addr, &tls.Config{RootCAs: roots, NextProtos: []string{"h2"},
		MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	if got := conn.ConnectionState().NegotiatedProtocol; got != "h2" {
		t.Errorf("%q was agreed upon", got)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

func TestCosmosCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithCosmosAddr(""))
	if db.CosmosURL() != "" {
		t.Errorf("it answers at %s", db.CosmosURL())
	}
	if _, err := cosmosclient.New(db, nil); err == nil {
		t.Error("there is a client of nothing")
	}
}

func TestCosmosHasACertificateOnlyWithHTTPS(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options []emulator.Option
		want    error
	}{
		"by http alone": {[]emulator.Option{emulator.WithCosmosAddr(""),
			emulator.WithCosmosHTTPAddr("127.0.0.1:0")}, emulator.ErrNoCosmos},
		"the compute gateway alone": {[]emulator.Option{emulator.WithCosmosAddr(""),
			emulator.WithCosmosComputeAddr("127.0.0.1:0")}, nil},
		"by https": {nil, nil},
	} {
		if _, err := emulator.Run(t, c.options...).CosmosCertificate(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryConsistencyLevelIsAccepted(t *testing.T) {
	t.Parallel()
	if got := emulator.CosmosConsistencies(); len(got) != 5 || !slices.Contains(got, emulator.DefaultCosmosConsistency) {
		t.Fatal(got)
	}
	for _, level := range emulator.CosmosConsistencies() {
		emulator.Run(t, emulator.WithCosmosConsistency(level))
	}
	if _, err := emulator.Start(emulator.WithCosmosConsistency("Weak")); err == nil {
		t.Error("a level that is none is taken")
	}
}

func TestSnapshotsRestoreCosmos(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t)
	client, err := cosmosclient.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "kept"}, nil); err != nil {
		t.Fatal(err)
	}
	snapshot, err := db.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Reset(); err != nil {
		t.Fatal(err)
	}
	kept, err := client.NewDatabase("kept")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Read(t.Context(), nil); err == nil {
		t.Error("it is there after the reset")
	}
	if err := db.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Read(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestURLsUseLoopbackWhenListeningOnAllAddresses(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithDynamoDBAddr("0.0.0.0:0"), emulator.WithCosmosAddr("0.0.0.0:0"))
	if url := db.DynamoDBURL(); !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("DynamoDB is told to be at %s", url)
	}
	client, err := cosmosclient.New(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "desk"}, nil); err != nil {
		t.Error(err)
	}
}
