package kefir

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/auth"
	schema "github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
)

// documented registers the steps that do to the store exactly what the document says, without the service, and those
// that check what the store holds.
func (w *world) documented(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" has a (cancelled|sent) reminder "([^"]*)" on "([^"]*)" in (\d+) days, as documented$`,
		w.documentedReminder)
	sc.Step(`^"([^"]*)" has the old batch "([^"]*)" in the store, without the optional attributes$`, w.oldBatch)
	sc.Step(`^a batch of (\d+) bytes is put into the table as documented$`, w.documentedBatch)
	sc.Step(`^(\d+) such writes consume (\d+) units a month, while the document estimates (\d+)$`, w.monthly)
	sc.Step(`^the index "([^"]*)" has (no|\d+) entr(?:y|ies)$`, w.indexHas)
	sc.Step(`^every entry of the index "([^"]*)" is a (batch|batch or a reminder|reminder)$`, w.indexOnly)
	sc.Step(`^the table holds (\d+) "([^"]*)" items?$`, w.tableHolds)
	sc.Step(`^no "([^"]*)" item contains "([^"]*)"$`, func(ctx context.Context, prefix, text string) error {
		items, err := w.Items(ctx, table)
		if err != nil {
			return err
		}
		return steps.LackText(steps.ItemsWithPrefix(items, prefix, "SK"), text)
	})
	sc.Step(`^there (?:are|is) (\d+) (batch|note|reminder)(?:e?s)? in all$`,
		func(ctx context.Context, n int, thing string) error {
			return w.tableHolds(ctx, n, map[string]string{"batch": "BATCH#", "note": "EVENT#", "reminder": "REMINDER#"}[thing])
		})
	sc.Step(`^no data of anybody is left$`, func(ctx context.Context) error { return w.tableHolds(ctx, 0, "") })
	sc.Step(`^the item of "([^"]*)" on "([^"]*)" has no "([^"]*)"$`, w.reminderLacks)
}

func (w *world) documentedReminder(ctx context.Context, user, as, message, batch string, days int) error {
	id, err := w.Fill("{" + batch + "}")
	if err != nil {
		return err
	}
	due := steps.Timestamp(w.Clock.Now().Add(steps.DurationOf(days, "day")))
	w.Set("due "+message, due)
	return errors.Join(w.put(ctx, steps.Item{
		"PK": text("BATCH#" + id), "SK": text("REMINDER#" + message), "GSI1PK": text("USER#" + user),
		"GSI1SK":     text("DUE#" + due),
		"reminderId": text(message), "batchId": text(id), "userId": text(user), "message": text(message), "dueAt": text(due),
		"status": text(as), "createdAt": text(steps.Timestamp(w.Clock.Now())),
	}), w.awaitIndexes(ctx))
}

// oldBatch stores a batch with the required attributes only.
func (w *world) oldBatch(ctx context.Context, user, name string) error {
	w.Set(name, "abc")
	w.batches["abc"] = name
	return errors.Join(w.put(ctx, steps.Item{
		"PK": text("USER#" + user), "SK": text("BATCH#abc"), "GSI1PK": text("BATCH#abc"),
		"GSI1SK":  text("STATUS#active#2024-01-15T10:30:00Z"),
		"batchId": text("abc"), "userId": text(user), "name": text(name), "stage": number("1"), "status": text("active"),
		"waterVolumeMl": number("1000"), "sugarGrams": number("60"), "temperatureC": number("22"),
		"startTime":         text("2024-01-15T10:30:00Z"),
		"targetHoursStage1": number("48"), "createdAt": text("2024-01-15T10:30:00Z"),
		"updatedAt": text("2024-01-15T10:30:00Z"),
	}), w.awaitIndexes(ctx))
}

// documentedBatch stores an item of this size in bytes: names and values, as the service counts them.
func (w *world) documentedBatch(ctx context.Context, bytes int) error {
	item := steps.Item{
		"PK": text("USER#123"), "SK": text("BATCH#abc"), "GSI1PK": text("BATCH#abc"),
		"GSI1SK": text("STATUS#active#2024-01-15T10:30:00Z"),
	}
	size := len("fruits")
	for name, value := range item {
		size += len(name) + len(textOf(value))
	}
	item["fruits"] = text(strings.Repeat("f", bytes-size))
	return w.put(ctx, item)
}

// monthly checks the sum that a step states, given what the last write consumed, and that the document's sum differs.
func (w *world) monthly(writes, units, documented float64) error {
	sum := 0.0
	for _, c := range w.Consumed {
		sum += aws.ToFloat64(c.CapacityUnits)
	}
	if sum*writes != units || sum*writes == documented {
		return fmt.Errorf("they consume %v", sum*writes)
	}
	return nil
}

// entries returns the entries of an index.
func (w *world) entries(ctx context.Context, index string) ([]steps.Item, error) {
	var all []steps.Item
	pages := dynamodb.NewScanPaginator(w.Client, &dynamodb.ScanInput{TableName: w.Table(table), IndexName: &index})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
	}
	return all, nil
}

func (w *world) indexHas(ctx context.Context, index, count string) error {
	all, err := w.entries(ctx, index)
	if err == nil && len(all) != steps.Count(count) {
		err = fmt.Errorf("it has %d", len(all))
	}
	return err
}

func (w *world) indexOnly(ctx context.Context, index, kinds string) error {
	all, err := w.entries(ctx, index)
	for _, item := range all {
		kind, _, _ := strings.Cut(textOf(item["SK"]), "#")
		if !strings.Contains(kinds, strings.ToLower(kind)) {
			err = errors.Join(err, fmt.Errorf("one is %s", textOf(item["SK"])))
		}
	}
	return err
}

// indexesCaughtUp reports whether every index has each item that has its keys.
func (w *world) indexesCaughtUp(ctx context.Context) (bool, error) {
	items, err := w.Items(ctx, table)
	for _, index := range []string{"GSI1", "GSI2", "GSI3"} {
		var want, got []string
		for _, item := range items {
			if _, in := item[index+"PK"]; in {
				want = append(want, indexEntry(item, index))
			}
		}
		entries, failed := w.entries(ctx, index)
		err = errors.Join(err, failed)
		for _, item := range entries {
			got = append(got, indexEntry(item, index))
		}
		slices.Sort(want)
		slices.Sort(got)
		if err != nil || !slices.Equal(want, got) {
			return false, err
		}
	}
	return true, nil
}

func indexEntry(item steps.Item, index string) string {
	at := textOf(item["PK"]) + " " + textOf(item["SK"]) + " " + textOf(item[index+"PK"]) + " " + textOf(item[index+"SK"])
	if index == "GSI1" { // the others project only keys
		at += " " + textOf(item["status"]) + " " + textOf(item["updatedAt"])
	}
	return at
}

func (w *world) tableHolds(ctx context.Context, n int, prefix string) error {
	items, err := w.Items(ctx, table)
	if got := steps.CountWithPrefix(items, prefix, "SK"); err == nil && got != n {
		err = fmt.Errorf("it holds %d", got)
	}
	return err
}

func (w *world) reminderLacks(ctx context.Context, message, batch, name string) error {
	key, err := w.Fill("BATCH#{" + batch + "} REMINDER#{" + message + "}")
	if err != nil {
		return err
	}
	pk, sk, _ := strings.Cut(key, " ")
	items, err := w.Items(ctx, table)
	for _, item := range items {
		if textOf(item["PK"]) == pk && textOf(item["SK"]) == sk {
			if v, has := item[name]; has {
				err = errors.Join(err, fmt.Errorf("it has %v", v))
			}
			return err
		}
	}
	return errors.Join(err, errors.New("there is no such item"))
}

func (w *world) operationSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the index lags behind the table$`, w.lag)
	sc.Step(`^the batch is not visible everywhere yet$`, w.indexMissesOnce)
	sc.Step(`^the table is on demand and encrypted by the store's own key$`, w.onDemand)
	sc.Step(`^the tables are created again$`, func(ctx context.Context) error {
		return tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables)
	})
	sc.Step(`^a kitchen of (\d+) users is generated from the seed (\d+)$`, w.generateKitchen)
	sc.Step(`^the same kitchen is generated again$`, w.sameKitchen)
	sc.Step(`^the table holds the generated data$`, func(ctx context.Context) error {
		items, err := w.Items(ctx, table)
		if err == nil && len(items) != w.generated.Items() {
			err = fmt.Errorf("it holds %d items of %d", len(items), w.generated.Items())
		}
		return err
	})
	sc.Step(`^there are users, batches, events, reminders and devices$`, func() error {
		if s := w.generated; s.Users*s.Batches*s.Events*s.Reminders*s.Devices == 0 {
			return fmt.Errorf("there are %+v", s)
		}
		return nil
	})
	sc.Step(`^the schema's (documented|current) version is "([^"]*)" and has its locked checksum$`, w.locked)
	sc.Step(`^data of the documented version can be served by the current version$`, func() error {
		return tables.Compatible(schema.DocumentedSchema("", schema.DefaultStage), schema.Schema(""))
	})
}

// onDemand checks for on-demand capacity, and for encryption with an AWS owned key, which a table without a KMS key
// uses.
func (w *world) onDemand(ctx context.Context) error {
	out, err := w.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: w.Table(table)})
	if err != nil {
		return err
	}
	if b := out.Table.BillingModeSummary; b == nil || b.BillingMode != types.BillingModePayPerRequest ||
		out.Table.SSEDescription != nil {
		return fmt.Errorf("it is billed as %v and encrypted as %v", b, out.Table.SSEDescription)
	}
	return nil
}

func (w *world) generateKitchen(ctx context.Context, users int, number uint64) error {
	service, err := w.service()
	if err != nil {
		return err
	}
	w.Wire.Reset()
	if w.earlierKitchen, err = w.Items(ctx, table); err != nil {
		return err
	}
	w.generated, err = service.Seed(ctx, number, users, nil)
	return err
}

// sameKitchen checks that the last generated data replaced equal items.
func (w *world) sameKitchen(ctx context.Context) error {
	items, err := w.Items(ctx, table)
	if err == nil && !reflect.DeepEqual(items, w.earlierKitchen) {
		err = fmt.Errorf("the table had %d items, and now has %d, which differ", len(w.earlierKitchen), len(items))
	}
	return err
}

func (w *world) locked(which, version string) error {
	s, sum := schema.Schema(""), schema.Checksum
	if which == "documented" {
		s, sum = schema.DocumentedSchema("", schema.DefaultStage), schema.DocumentedChecksum
	}
	if got := tables.Checksum(s); s.Version != version || got != sum {
		return fmt.Errorf("it is %s with %s", s.Version, got)
	}
	return nil
}

func (w *world) credentials(sc *godog.ScenarioContext) {
	sc.Step(`^the batches are requested with (.*)$`, func(ctx context.Context, credential string) error {
		as, err := w.credential(credential)
		w.SendStep(ctx, as, http.MethodGet, "/batches", nil)
		return err
	})
	sc.Step(`^all users' batches are requested with (.*)$`, func(ctx context.Context, credential string) error {
		as, err := w.credential(credential)
		w.SendStep(ctx, as, http.MethodGet, "/admin/batches?status=active", nil)
		return err
	})
}

// credential returns a bad credential by its name in steps.
func (w *world) credential(name string) (httpapi.Credential, error) {
	good, err := w.Issuer.Token("ana", time.Hour)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(good, ".")
	switch name {
	case "no token":
		return httpapi.Anonymous, nil
	case "an expired token":
		good, err = w.Issuer.Token("ana", -time.Hour)
	case "a forged token":
		var other *auth.Issuer
		if other, err = auth.NewIssuer(w.Clock.Now); err == nil {
			other.URL = w.Issuer.URL
			good, err = other.Token("ana", time.Hour)
		}
	case "an unsigned token":
		good = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + "."
	case "the operator's token":
		good = adminToken
	case "a user's token":
	default:
		err = fmt.Errorf("nobody has %s", name)
	}
	return httpapi.Bearer(good), err
}

// textOf returns the value of a string attribute, or "" if it is not a string.
func textOf(v any) string {
	if s, ok := v.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}
