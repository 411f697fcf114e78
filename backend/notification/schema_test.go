package notification

import (
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// TestSchemaIsLocked fails when a container changes without a new version.
func TestSchemaIsLocked(t *testing.T) {
	t.Parallel()
	if got := ContainersChecksum(); got != Checksum {
		t.Errorf("the containers changed but the version is still %s: give the change a new version and the checksum %s",
			Version, got)
	}
}

// TestContainersAreAsDescribed creates the containers, twice, and reads them back equal (NT-O1, NT-R9).
func TestContainersAreAsDescribed(t *testing.T) {
	t.Parallel()
	_, client := dbtest.Cosmos(t, nil)
	for range 2 {
		if notes, err := Create(t.Context(), client, "asora", Throughput{}); err != nil || len(notes) > 0 {
			t.Fatal(notes, err)
		}
	}
	for _, c := range Containers() {
		container, err := client.NewContainer("asora", c.Name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := container.ReadThroughput(t.Context(), nil)
		if manual, ok := out.ThroughputProperties.ManualThroughput(); err != nil || !ok || manual != 400 {
			t.Errorf("%s: %d RU/s %v", c.Name, manual, err)
		}
	}
}

// TestDifferencesAreNamed checks that each deviation from the description is found.
func TestDifferencesAreNamed(t *testing.T) {
	t.Parallel()
	_, client := dbtest.Cosmos(t, nil)
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "asora"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("asora")
	if err != nil {
		t.Fatal(err)
	}
	ttl := int32(60)
	_, err = db.CreateContainer(t.Context(), azcosmos.ContainerProperties{
		ID: NotificationsContainer, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/id"}},
		DefaultTimeToLive: &ttl,
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent, IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			ExcludedPaths: []azcosmos.ExcludedPath{{Path: "/title/?"}, {Path: `/"_etag"/?`}},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create(t.Context(), client, "asora", Throughput{})
	if err == nil {
		t.Fatal("made over containers that are another's")
	}
	for _, says := range []string{
		"notifications has partition key /id instead of /userId", "notifications has time to live 60 s instead of 2592000 s",
		`notifications has excluded paths /"_etag"/? /title/? instead of /"_etag"/?`, "choose another prefix or drop it",
	} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
	different, _, err := Compare(t.Context(), client, "nowhere", Throughput{})
	if err != nil || len(different) != 4 || different[0] != "notification_events is missing" {
		t.Errorf("nothing there: %q %v", different, err)
	}
}

// TestAutoscale checks that autoscale is set and read back, by the service's rules (NT-O2, NT-D6).
func TestAutoscale(t *testing.T) {
	t.Parallel()
	_, client := dbtest.Cosmos(t, nil)
	for name, most := range map[string]int32{"planned": 10_000, "portal": 4_000} {
		if notes, err := Create(t.Context(), client, name, Throughput{Autoscale: most}); err != nil || len(notes) > 0 {
			t.Fatal(notes, err)
		}
		if _, notes, err := Compare(t.Context(), client, name, Throughput{}); err != nil || len(notes) != 4 ||
			!strings.Contains(notes[0], "has autoscale to ") {
			t.Errorf("%s: %q %v", name, notes, err)
		}
	}
	for _, wrong := range []Throughput{{Autoscale: 400}, {Autoscale: 1500}, {Manual: 300}, {Manual: 450},
		{Manual: 400, Autoscale: 1000}, {Autoscale: -1000}} {
		if _, err := Create(t.Context(), client, "wrong", wrong); err == nil || !strings.HasPrefix(err.Error(),
			"throughput: ") {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}
