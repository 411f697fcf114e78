package notification

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
)

// Throughput is the provisioned throughput of each container. The zero value is the documented 400 RU/s.
type Throughput struct {
	Manual    int32 // RU/s; 400 when 0
	Autoscale int32 // maximum RU/s when autoscaling, the minimum is a tenth of it (NT-O2); replaces Manual
}

// Check returns an error if a throughput violates the service's rules: manual throughput is a multiple of 100 from 400
// on, autoscale a multiple of 1,000 from 1,000 on (NT-D6).
func (t Throughput) Check() error {
	switch {
	case t.Manual != 0 && t.Autoscale != 0:
		return errors.New("throughput: set either manual or autoscale, not both")
	case t.Autoscale != 0 && (t.Autoscale < 1000 || t.Autoscale%1000 != 0):
		return fmt.Errorf("throughput: autoscale to %d RU/s: use a multiple of 1000, such as 4000 or 10000",
			t.Autoscale)
	case t.Manual != 0 && (t.Manual < 400 || t.Manual%100 != 0):
		return fmt.Errorf("throughput: %d RU/s: use a multiple of 100 from 400", t.Manual)
	}
	return nil
}

func (t Throughput) properties(c Container) azcosmos.ThroughputProperties {
	switch {
	case t.Autoscale != 0:
		return azcosmos.NewAutoscaleThroughputProperties(t.Autoscale)
	case t.Manual != 0:
		return azcosmos.NewManualThroughputProperties(t.Manual)
	}
	return azcosmos.NewManualThroughputProperties(c.Throughput)
}

// String returns, for example, "400 RU/s" or "autoscale to 10000 RU/s".
func (t Throughput) String() string {
	if t.Autoscale != 0 {
		return fmt.Sprintf("autoscale to %d RU/s", t.Autoscale)
	}
	return fmt.Sprintf("%d RU/s", t.Manual)
}

// Create creates the database and its containers if they do not exist. Existing containers stay as they are. Errors: an
// existing container differs from its description; the error names each difference. A different throughput is only a
// note, because operators change it.
func Create(ctx context.Context, client *azcosmos.Client, database string, t Throughput) (notes []string, err error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	if err := createDatabase(ctx, client, database); err != nil {
		return nil, fmt.Errorf("cannot create the database %s: %w", database, cosmosdb.MapError(err))
	}
	db, err := client.NewDatabase(database)
	if err != nil {
		return nil, err
	}
	if err := createContainers(ctx, db, t); err != nil {
		return nil, err
	}
	different, notes, err := Compare(ctx, client, database, t)
	if err == nil && len(different) > 0 {
		err = fmt.Errorf("already exists, but differs from the schema: %s; choose another prefix or drop it",
			strings.Join(different, "; "))
	}
	return notes, err
}

// createDatabase creates a database if it is not listed: to create or to read one that may not exist would be a failed
// request in metrics, which alarms count.
func createDatabase(ctx context.Context, client *azcosmos.Client, database string) error {
	for pager := client.NewQueryDatabasesPager("SELECT * FROM c", nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(page.Databases, func(d azcosmos.DatabaseProperties) bool { return d.ID == database }) {
			return nil
		}
	}
	_, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: database}, nil)
	if hasStatus(err, http.StatusConflict) { // created since then
		return nil
	}
	return err
}

// createContainers creates the containers that are not listed.
func createContainers(ctx context.Context, db *azcosmos.DatabaseClient, t Throughput) error {
	existing := map[string]bool{}
	for pager := db.NewQueryContainersPager("SELECT * FROM c", nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("cannot list the containers of %s: %w", db.ID(), cosmosdb.MapError(err))
		}
		for _, c := range page.Containers {
			existing[c.ID] = true
		}
	}
	for _, c := range Containers() {
		if existing[c.Name] {
			continue
		}
		throughput := t.properties(c)
		_, err := db.CreateContainer(ctx, c.properties(), &azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
		if err != nil && !hasStatus(err, http.StatusConflict) { // created since then
			return fmt.Errorf("cannot create the container %s: %w", c.Name, cosmosdb.MapError(err))
		}
	}
	return nil
}

func hasStatus(err error, status int) bool {
	var e *azcore.ResponseError
	return errors.As(err, &e) && e.StatusCode == status
}

func (c Container) properties() azcosmos.ContainerProperties {
	p := azcosmos.ContainerProperties{
		ID: c.Name,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{c.PartitionKey},
			Kind: azcosmos.PartitionKeyKindHash, Version: 2},
		IndexingPolicy: &azcosmos.IndexingPolicy{Automatic: true, IndexingMode: azcosmos.IndexingMode(c.IndexingMode)},
	}
	for _, path := range c.IncludedPaths {
		p.IndexingPolicy.IncludedPaths = append(p.IndexingPolicy.IncludedPaths, azcosmos.IncludedPath{Path: path})
	}
	for _, path := range c.ExcludedPaths {
		p.IndexingPolicy.ExcludedPaths = append(p.IndexingPolicy.ExcludedPaths, azcosmos.ExcludedPath{Path: path})
	}
	if c.DefaultTTL != 0 {
		p.DefaultTimeToLive = &c.DefaultTTL
	}
	return p
}

// Compare reads the containers back and returns each difference from the description: different has those that affect
// the data, notes those of the throughput.
func Compare(ctx context.Context, client *azcosmos.Client, database string, t Throughput) (different,
	notes []string, err error) {
	db, err := client.NewDatabase(database)
	if err != nil {
		return nil, nil, err
	}
	for _, want := range Containers() {
		container, err := db.NewContainer(want.Name)
		if err != nil {
			return nil, nil, err
		}
		out, err := container.Read(ctx, nil)
		if hasStatus(err, http.StatusNotFound) {
			different = append(different, want.Name+" is missing")
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("cannot read the container %s: %w", want.Name, cosmosdb.MapError(err))
		}
		different = append(different, want.differences(*out.ContainerProperties)...)
		note, err := want.throughputNote(ctx, container, t)
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, note...)
	}
	return different, notes, nil
}

// differences returns the differences of a container from its description, one per property.
func (c Container) differences(actual azcosmos.ContainerProperties) (all []string) {
	compare := func(what, got, want string) {
		if got != want {
			all = append(all, fmt.Sprintf("%s has %s %s instead of %s", c.Name, what, got, want))
		}
	}
	compare("partition key", strings.Join(actual.PartitionKeyDefinition.Paths, " "), c.PartitionKey)
	ttl := int32(0)
	if actual.DefaultTimeToLive != nil {
		ttl = *actual.DefaultTimeToLive
	}
	compare("time to live", formatTTL(ttl), formatTTL(c.DefaultTTL))
	var mode string
	var included, excluded []string
	if p := actual.IndexingPolicy; p != nil {
		mode = string(p.IndexingMode)
		for _, path := range p.IncludedPaths {
			included = append(included, path.Path)
		}
		for _, path := range p.ExcludedPaths {
			excluded = append(excluded, path.Path)
		}
	}
	slices.Sort(included)
	slices.Sort(excluded)
	compare("indexing mode", strings.ToLower(mode), c.IndexingMode)
	compare("included paths", strings.Join(included, " "), strings.Join(c.IncludedPaths, " "))
	compare("excluded paths", strings.Join(excluded, " "), strings.Join(c.ExcludedPaths, " "))
	return all
}

func formatTTL(seconds int32) string {
	if seconds == 0 {
		return "off"
	}
	return strconv.Itoa(int(seconds)) + " s"
}

// throughputNote compares the throughput. A container that shares its database's throughput has none, and neither has a
// serverless one.
func (c Container) throughputNote(ctx context.Context, container *azcosmos.ContainerClient,
	want Throughput) ([]string, error) {
	if want == (Throughput{}) {
		want.Manual = c.Throughput
	}
	out, err := container.ReadThroughput(ctx, nil)
	if hasStatus(err, http.StatusNotFound) || hasStatus(err, http.StatusBadRequest) {
		return []string{c.Name + " has no throughput of its own"}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the throughput of %s: %w", c.Name, cosmosdb.MapError(err))
	}
	var actual Throughput
	if max, autoscales := out.ThroughputProperties.AutoscaleMaxThroughput(); autoscales {
		actual.Autoscale = max
	} else {
		actual.Manual, _ = out.ThroughputProperties.ManualThroughput()
	}
	if actual != want {
		return []string{fmt.Sprintf("%s has %s instead of %s", c.Name, actual, want)}, nil
	}
	return nil, nil
}
