package notification

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/features/targets"
)

// documented registers the steps that send the document's queries to the store exactly as written.
func (w *world) documented(sc *godog.ScenarioContext) {
	sc.Step(`^a client queries "([^"]*)" in the partition "([^"]*)" with:$`, w.queriesDirectly)
	sc.Step(`^the query finds (\d+) documents?$`, func(n int) error {
		if w.Last.Err != nil || len(w.rows) != n {
			return fmt.Errorf("it finds %v, %w", w.rows, w.Last.Err)
		}
		return nil
	})
	sc.Step(`^Cosmos DB refuses it with (\d+) and "([^"]*)"$`, w.refusesWith)
	sc.Step(`^the document (\{.*\}) is stored in "([^"]*)"$`, w.storeDocument)
	sc.Step(`^the work query runs over (\d+) physical partitions?$`, w.queriesAcross)
	sc.Step(`^it costs more request units over (\d+) physical partitions than over (\d+)$`, w.costsMore)
}

func (w *world) container(name string) (*azcosmos.ContainerClient, error) {
	return w.client.NewContainer(w.database(), name)
}

func (w *world) queriesDirectly(ctx context.Context, container, partition string, text *godog.DocString) error {
	c, err := w.container(container)
	if err != nil {
		return err
	}
	sql, err := w.Fill(text.Content)
	if err != nil {
		return err
	}
	w.rows, w.Last.Err = nil, nil
	for pages := c.NewQueryItemsPager(sql, azcosmos.NewPartitionKeyString(partition), nil); pages.More(); {
		page, err := pages.NextPage(ctx)
		if err != nil {
			w.Last.Err = err
			return nil
		}
		for _, item := range page.Items {
			var row map[string]any
			if err := json.Unmarshal(item, &row); err != nil {
				return err
			}
			w.rows = append(w.rows, row)
		}
	}
	return nil
}

func (w *world) refusesWith(status int, words string) error {
	var answer *azcore.ResponseError
	if !errors.As(w.Last.Err, &answer) || answer.StatusCode != status || !strings.Contains(answer.Error(), words) {
		return fmt.Errorf("it answers %w", w.Last.Err)
	}
	return nil
}

func (w *world) storeDocument(ctx context.Context, document, container string) error {
	document, err1 := w.Fill(document)
	c, err2 := w.container(container)
	err := errors.Join(err1, err2)
	if err != nil {
		return err
	}
	var of struct{ UserID string }
	if err := json.Unmarshal([]byte(document), &of); err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(of.UserID), []byte(document), nil)
	return err
}

// queriesAcross sends the documented work query to containers with this number of physical partitions, and keeps its
// charge.
func (w *world) queriesAcross(ctx context.Context, partitions int) error {
	rates := map[int]int32{1: 400, 2: 12_000, 5: 30_000} // the RU/s for each number of partitions, see docs/cosmos.md
	database := fmt.Sprintf("%s-%d", w.database(), partitions)
	target := w.Target
	w.OnClose(func(ctx context.Context) error { return targets.DropDatabase(ctx, target, database) })
	if _, err := schema.Create(ctx, w.client, database, schema.Throughput{Manual: rates[partitions]}); err != nil {
		return err
	}
	service, err := schema.New(schema.Config{Client: w.client, Database: database, Now: w.Clock.Now, Wait: w.pause})
	if err != nil {
		return err
	}
	round, err := service.Work(ctx)
	w.charge[fmt.Sprint(partitions)] = round.RU
	return err
}

func (w *world) costsMore(many, few string) error {
	if w.charge[few] <= 0 || w.charge[many] <= w.charge[few] {
		return fmt.Errorf("it costs %v", w.charge)
	}
	return nil
}

func (w *world) operationSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the containers are read back$`, w.compares)
	sc.Step(`^they are as the document describes them$`, w.asDescribed)
	sc.Step(`^the containers are:$`, w.containersAre)
	sc.Step(`^the cleanup deleted (\d+) and kept (\d+)$`, func(deleted, kept int) error {
		if w.cleaned.Deleted != deleted || w.cleaned.Kept != kept {
			return fmt.Errorf("it did %+v", w.cleaned)
		}
		return nil
	})
	sc.Step(`^the containers are recreated with autoscale up to (\d+) RU/s$`, w.autoscale)
	sc.Step(`^"([^"]*)" scales from (\d+) up to (\d+) RU/s$`, w.scales)
	sc.Step(`^a container with autoscale up to (\d+) RU/s is (accepted|refused)$`, w.tryAutoscale)
	sc.Step(`^the quarterly cleanup runs$`, w.cleansUp)
	sc.Step(`^"([^"]*)" is deleted$`, func(ctx context.Context, user string) error {
		w.operator(ctx, http.MethodDelete, "/users/"+user, nil)
		return nil
	})
	sc.Step(`^no document of "([^"]*)" is left$`, w.noDocumentLeft)
	sc.Step(`^(\d+) documents? of "([^"]*)" (?:is|are) in "([^"]*)"$`, w.documentsIn)
}

func (w *world) compares(ctx context.Context) (err error) {
	w.listed, _, err = schema.Compare(ctx, w.client, w.database(), schema.Throughput{})
	return err
}

func (w *world) asDescribed() error {
	if len(w.listed) > 0 {
		return fmt.Errorf("different: %s", strings.Join(w.listed, "; "))
	}
	return nil
}

// containersAre reads containers from the account and compares them with the rows of a table, whose first row names the
// columns.
func (w *world) containersAre(ctx context.Context, rows *godog.Table) error {
	for _, row := range rows.Rows[1:] {
		var want []string
		for _, cell := range row.Cells {
			want = append(want, cell.Value)
		}
		got, err := w.describe(ctx, want[0])
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("it is %q", got)
		}
	}
	return nil
}

// describe returns a container's name, partition key, time to live in seconds, indexed and excluded paths, and request
// units per second.
func (w *world) describe(ctx context.Context, name string) ([]string, error) {
	c, err := w.container(name)
	if err != nil {
		return nil, err
	}
	read, err1 := c.Read(ctx, nil)
	rate, err2 := c.ReadThroughput(ctx, nil)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	p, lifetime := read.ContainerProperties, "for ever"
	if p.DefaultTimeToLive != nil {
		lifetime = fmt.Sprint(*p.DefaultTimeToLive)
	}
	var included, excluded []string
	for _, path := range p.IndexingPolicy.IncludedPaths {
		included = append(included, path.Path)
	}
	for _, path := range p.IndexingPolicy.ExcludedPaths {
		excluded = append(excluded, path.Path)
	}
	manual, _ := rate.ThroughputProperties.ManualThroughput()
	return []string{name, strings.Join(p.PartitionKeyDefinition.Paths, " "), lifetime,
		strings.ToLower(string(p.IndexingPolicy.IndexingMode)),
		strings.Join(included, " "), strings.Join(excluded, " "), fmt.Sprint(manual)}, nil
}

func (w *world) autoscale(ctx context.Context, most int) error {
	if err := targets.DropDatabase(ctx, w.Target, w.database()); err != nil {
		return err
	}
	_, err := schema.Create(ctx, w.client, w.database(), schema.Throughput{Autoscale: int32(most)})
	return err
}

func (w *world) scales(ctx context.Context, name string, least, most int) error {
	c, err := w.container(name)
	if err != nil {
		return err
	}
	read, err := c.ReadThroughput(ctx, nil)
	if err != nil {
		return err
	}
	got, auto := read.ThroughputProperties.AutoscaleMaxThroughput()
	floor := read.MinThroughput
	if !auto || int(got) != most || floor == nil || int(*floor) != least {
		return fmt.Errorf("autoscale %v up to %d from %v", auto, got, floor)
	}
	return nil
}

// tryAutoscale sets an autoscale maximum in the backend and in the store. Both must accept it, or both must reject it.
func (w *world) tryAutoscale(ctx context.Context, most int, want string) error {
	if err := (schema.Throughput{Autoscale: int32(most)}).Check(); (err == nil) != (want == "accepted") {
		return fmt.Errorf("the backend's setting was not %s: %w", want, err)
	}
	db, err := w.client.NewDatabase(w.database())
	if err != nil {
		return err
	}
	throughput := azcosmos.NewAutoscaleThroughputProperties(int32(most))
	_, err = db.CreateContainer(ctx, azcosmos.ContainerProperties{ID: fmt.Sprintf("up-to-%d", most),
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/userId"}, Version: 2}},
		&azcosmos.CreateContainerOptions{ThroughputProperties: &throughput})
	if (err == nil) != (want == "accepted") {
		return fmt.Errorf("it was not %s: %w", want, err)
	}
	return nil
}

func (w *world) cleansUp(ctx context.Context) error {
	service, err := schema.New(schema.Config{Client: w.client, Database: w.database(), Now: w.Clock.Now, Wait: w.pause})
	if err != nil {
		return err
	}
	w.cleaned, err = service.CleanUpDevices(ctx, schema.RevokedRetention, false)
	return err
}

// documentsIn counts a user's documents, without the guard documents, which hold no user data.
func (w *world) documentsIn(ctx context.Context, n int, user, container string) error {
	query := &godog.DocString{Content: `SELECT * FROM c WHERE c.id != "guard"`}
	if err := w.queriesDirectly(ctx, container, user, query); err != nil {
		return err
	}
	if w.Last.Err != nil || len(w.rows) != n {
		return fmt.Errorf("%d are: %v, %w", len(w.rows), w.rows, w.Last.Err)
	}
	return nil
}

// noDocumentLeft checks that no container has a document of the user, not even a guard document.
func (w *world) noDocumentLeft(ctx context.Context, user string) error {
	for _, c := range schema.Containers() {
		if err := w.queriesDirectly(ctx, c.Name, user, &godog.DocString{Content: "SELECT * FROM c"}); err != nil {
			return err
		}
		if w.Last.Err != nil || len(w.rows) > 0 {
			return fmt.Errorf("in %s: %v, %w", c.Name, w.rows, w.Last.Err)
		}
	}
	return nil
}
