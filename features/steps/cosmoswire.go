package steps

import (
	"errors"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/wire"
)

// CosmosSDK returns a Cosmos DB client for the code under test. Its requests to items are recorded, and their responses
// can be dropped.
func (w *World) CosmosSDK(o azcosmos.ClientOptions) (*azcosmos.Client, error) {
	if w.Trace != nil {
		o.PerRetryPolicies = append(o.PerRetryPolicies, w.Trace.CosmosPolicy())
	}
	return w.Target.Cosmos(w.Cosmos.Options(o))
}

func (w *World) cosmosWireSteps() Group {
	const where = `of "([^"]*)" (?:in the partition "([^"]*)"|across all partitions)`
	return Group{Title: "Requests to Cosmos DB",
		Intro: "Requests for items of a service that uses World.CosmosSDK, since the scenario began. Queries are compared with their parameters filled in, ignoring white space.",
		Steps: []Step{
			{`^Cosmos DB received this query ` + where + `:$`, w.cosmosReceivedQuery,
				`Cosmos DB received this query of "orders" in the partition "ana":`,
				"At least one request with exactly the query below."},
			{`^Cosmos DB received no query ` + where + `$`, w.cosmosReceivedNoQuery,
				`Cosmos DB received no query of "orders" across all partitions`,
				"No query of this partition, or across partitions."},
			{`^Cosmos DB received an? (conditional )?(Read|Create|Upsert|Replace|Patch|Delete|ChangeFeed) of "([^"]*)"(?: in the partition "([^"]*)")?$`,
				w.cosmosReceived, `Cosmos DB received a conditional Replace of "orders" in the partition "ana"`,
				"At least one such request. `conditional`: with If-Match."},
			{`^Cosmos DB received (\d+) (Query|Read|Create|Upsert|Replace|Patch|Delete|Batch|ChangeFeed) requests? of "([^"]*)"$`,
				w.cosmosReceivedTimes, `Cosmos DB received 2 Read requests of "orders"`, "Exactly this number of such requests."},
			{`^Cosmos DB received a batch of "([^"]*)" in the partition "([^"]*)" of:$`, w.cosmosBatch,
				`Cosmos DB received a batch of "orders" in the partition "ana" of:`,
				"At least one batch with exactly the operations of the table below, such as Create or conditional Replace."},
			{`^the response to the next (Create|Upsert|Replace|Patch|Delete|Batch|Query|Read) of "([^"]*)" is lost$`,
				w.cosmosDropsResponse, `the response to the next Create of "orders" is lost`,
				"The request takes effect, but the connection is closed without a response."},
			{`^those requests cost at most ([\d.]+) request units$`, w.cosmosCostAtMost,
				`those requests cost at most 15 request units`,
				"All requests since the scenario began, or since earlier requests were ignored, of which there is at least one."},
			{`^those requests cost more than ([\d.]+) request units$`, w.cosmosCostMore,
				`those requests cost more than 10 request units`, "As above."},
			{`^earlier requests to Cosmos DB are ignored$`, func() {
				w.Cosmos.Reset()
			}, `earlier requests to Cosmos DB are ignored`, "Later steps check only requests from here on."},
		}}
}

// cosmosNotReceived returns an error that lists the recorded requests.
func (w *World) cosmosNotReceived(what string) error {
	var b strings.Builder
	for _, c := range w.Cosmos.Calls() {
		b.WriteString("\n  " + c.String())
	}
	return fmt.Errorf("the request did not reach Cosmos DB:\n  %s\nit received%s", what, b.String())
}

// cosmosFind returns the calls that match.
func (w *World) cosmosFind(fits func(wire.CosmosCall) bool) (found []wire.CosmosCall) {
	for _, c := range w.Cosmos.Calls() {
		if fits(c) {
			found = append(found, c)
		}
	}
	return found
}

func (w *World) cosmosReceivedQuery(container, partition string, sql *godog.DocString) error {
	text, err1 := w.Fill(sql.Content)
	partition, err2 := w.Fill(partition)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	text = wire.OneLine(text)
	if len(w.cosmosFind(func(c wire.CosmosCall) bool {
		return c.Operation == "Query" && c.Container == container && c.Whole == (partition == "") &&
			c.Partition == partition && c.SQL == text
	})) == 0 {
		return w.cosmosNotReceived(text)
	}
	return nil
}

func (w *World) cosmosReceivedNoQuery(container, partition string) error {
	partition, err := w.Fill(partition)
	if err != nil {
		return err
	}
	if found := w.cosmosFind(func(c wire.CosmosCall) bool {
		return c.Operation == "Query" && c.Container == container && c.Whole == (partition == "") && c.Partition == partition
	}); len(found) > 0 {
		return fmt.Errorf("it was: %s", found[0])
	}
	return nil
}

func (w *World) cosmosReceived(conditional, operation, container, partition string) error {
	partition, err := w.Fill(partition)
	if err != nil {
		return err
	}
	if len(w.cosmosFind(func(c wire.CosmosCall) bool {
		return c.Operation == operation && c.Container == container && (partition == "" || c.Partition == partition) &&
			(conditional == "" || c.Guarded)
	})) == 0 {
		return w.cosmosNotReceived(conditional + operation + " of " + container)
	}
	return nil
}

func (w *World) cosmosReceivedTimes(n int, operation, container string) error {
	found := w.cosmosFind(func(c wire.CosmosCall) bool { return c.Operation == operation && c.Container == container })
	if len(found) != n {
		return fmt.Errorf("%d times, %w", len(found), w.cosmosNotReceived(operation+" of "+container))
	}
	return nil
}

func (w *World) cosmosBatch(container, partition string, rows *godog.Table) error {
	partition, err := w.Fill(partition)
	if err != nil {
		return err
	}
	var want []string
	for _, row := range rows.Rows {
		want = append(want, row.Cells[0].Value)
	}
	text := strings.Join(want, ", ")
	if len(w.cosmosFind(func(c wire.CosmosCall) bool {
		return c.Operation == "Batch" && c.Container == container && c.Partition == partition &&
			strings.Join(c.Actions, ", ") == text
	})) == 0 {
		return w.cosmosNotReceived("a batch of " + text)
	}
	return nil
}

func (w *World) cosmosDropsResponse(operation, container string) {
	w.Cosmos.DropResponses(1, func(c wire.CosmosCall) bool { return c.Operation == operation && c.Container == container })
}

// cosmosCharge returns the charge of all requests, in request units.
func (w *World) cosmosCharge() (sum float64) {
	for _, c := range w.Cosmos.Calls() {
		sum += c.Charge
	}
	return sum
}

func (w *World) cosmosCostMore(least float64) error {
	if sum := w.cosmosCharge(); sum <= least {
		return fmt.Errorf("%.2f request units: %w", sum, w.cosmosNotReceived("so much"))
	}
	return nil
}

func (w *World) cosmosCostAtMost(most float64) error {
	if sum := w.cosmosCharge(); sum > most || sum == 0 {
		return fmt.Errorf("%.2f request units: %w", sum, w.cosmosNotReceived("so little"))
	}
	return nil
}
