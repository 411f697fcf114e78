package cosmos

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// TestCrossPartitionQueryIsChargedPerPartition checks that a query over all five physical partitions of a container is
// charged in each of them, whether it finds anything there or not, and a query of one logical partition in one.
func TestCrossPartitionQueryIsChargedPerPartition(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	one := d.newContainer(t, "one")
	db, err := d.client.NewDatabase("db-one")
	if err != nil {
		t.Fatal(err)
	}
	throughput := azcosmos.NewManualThroughputProperties(30_000)
	if _, err := db.CreateContainer(t.Context(), azcosmos.ContainerProperties{ID: "five",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}},
		&azcosmos.CreateContainerOptions{ThroughputProperties: &throughput}); err != nil {
		t.Fatal(err)
	}
	five, err := db.NewContainer("five")
	if err != nil {
		t.Fatal(err)
	}
	single := chargeOf(t, one, "SELECT * FROM c WHERE c.n = 1")
	if got := chargeOf(t, five, "SELECT * FROM c WHERE c.n = 1"); got < 4.9*single || got > 5.1*single {
		t.Errorf("%v RU over five partitions, %v over one", got, single)
	}
	if got := chargeOf(t, five, "SELECT * FROM c WHERE c.pk = 'a' AND c.n = 1"); got > single+1 {
		t.Errorf("%v RU in one partition of five, %v over one", got, single)
	}
}
