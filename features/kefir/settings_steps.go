package kefir

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

func (w *world) settings(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" saves (?:his|her|the) profile as (\{.*\})$`, func(ctx context.Context, user, body string) error {
		return w.SendAs(ctx, user, http.MethodPut, "/profile", []byte(body))
	})
	sc.Step(`^"([^"]*)" has a profile$`, func(ctx context.Context, user string) error {
		return w.MustSendAs(ctx, user, http.MethodPut, "/profile",
			map[string]string{"email": user + "@example.com", "name": user})
	})
	sc.Step(`^"([^"]*)" looks at (?:his|her|the) profile$`, func(ctx context.Context, user string) error {
		return w.SendAs(ctx, user, http.MethodGet, "/profile", nil)
	})
	sc.Step(`^"([^"]*)" registers the device "([^"]*)" as (\{.*\})$`,
		func(ctx context.Context, user, device, body string) error {
			return w.SendAs(ctx, user, http.MethodPut, "/devices/"+device, []byte(body))
		})
	sc.Step(`^"([^"]*)" has registered the device "([^"]*)" as (\{.*\})$`,
		func(ctx context.Context, user, device, body string) error {
			return w.MustSendAs(ctx, user, http.MethodPut, "/devices/"+device, []byte(body))
		})
	sc.Step(`^"([^"]*)" lists (?:his|her|the) devices$`, func(ctx context.Context, user string) error {
		as, err := w.Credential(user)
		if err != nil {
			return err
		}
		return w.list(ctx, as, "/devices", "devices", "", func(d map[string]any) string { return fmt.Sprint(d["deviceId"]) })
	})
	sc.Step(`^"([^"]*)" looks at the device "([^"]*)"$`, func(ctx context.Context, user, device string) error {
		return w.SendAs(ctx, user, http.MethodGet, "/devices/"+device, nil)
	})
	sc.Step(`^"([^"]*)" removes the device "([^"]*)"$`, func(ctx context.Context, user, device string) error {
		return w.SendAs(ctx, user, http.MethodDelete, "/devices/"+device, nil)
	})
	sc.Step(`^"([^"]*)" deletes (?:his|her|the) account$`, func(ctx context.Context, user string) error {
		return w.SendAs(ctx, user, http.MethodDelete, "/profile", nil)
	})
	sc.Step(`^"([^"]*)" deletes (?:his|her|the) account while adding the note "([^"]*)" to "([^"]*)"$`, w.deletesMeanwhile)
	sc.Step(`^"([^"]*)" adds the note "([^"]*)" to "([^"]*)" while deleting (?:his|her|the) account$`, w.notesMeanwhile)
	sc.Step(`^it retried after (\d+(?:, \d+)*(?: and \d+)?) milliseconds, with up to 50% jitter$`, w.paused)
	sc.Step(`^"([^"]*)" has a kitchen of (\d+) batch(?:es)? with (\d+) notes? and a reminder each$`, w.hasKitchen)
}

// deletesMeanwhile adds a note between the deletion's read and its first removal.
func (w *world) deletesMeanwhile(ctx context.Context, user, note, batch string) error {
	failed := w.interruptBefore("BatchWriteItem", func() error { return w.notes(ctx, user, note, batch) })
	return errors.Join(w.SendAs(ctx, user, http.MethodDelete, "/profile", nil), failed())
}

// notesMeanwhile deletes the account between the note's check of the batch and its write.
func (w *world) notesMeanwhile(ctx context.Context, user, note, batch string) error {
	failed := w.interruptBefore("PutItem", func() error {
		return w.SendAs(ctx, user, http.MethodDelete, "/profile", nil)
	})
	return errors.Join(w.sendAbout(ctx, user, http.MethodPost, batch, "/events",
		map[string]any{"type": "note", "note": note}), failed())
}

// hasKitchen creates a profile, a device and batches with everything in them for a user.
func (w *world) hasKitchen(ctx context.Context, user string, batches, notes int) error {
	err := errors.Join(
		w.MustSendAs(ctx, user, http.MethodPut, "/profile", map[string]string{"email": user + "@example.com"}),
		w.MustSendAs(ctx, user, http.MethodPut, "/devices/phone", map[string]string{"platform": "android",
			"pushToken": "ExponentPushToken[" + user + "]"}),
	)
	for i := range batches {
		batch := fmt.Sprintf("%ss batch %d", user, i+1)
		err = errors.Join(err, w.starts(ctx, user, batch), w.hasNotedMany(ctx, user, notes, batch),
			w.setsReminder(ctx, user, "taste "+batch, batch, 1, "hour"), w.Last.Succeeded())
	}
	return err
}

func (w *world) exportSteps(sc *godog.ScenarioContext) {
	sc.Step(`^"([^"]*)" exports everything$`, w.exports)
	sc.Step(`^the export has (\d+) rows: "([^"]*)"$`, w.exportHas)
	sc.Step(`^a row of the export has the (\S+) "(.*)"$`, w.exportCell)
	sc.Step(`^no row of the export has "([^"]*)"$`, w.exportLacks)
	sc.Step(`^the store returns pages of (\d+) items$`, w.limitPages)
	sc.Step(`^the store fails after (\d+) pages$`, w.failsAfter)
	sc.Step(`^the export is cut off$`, func() error { return w.Last.Lost() })
}

func (w *world) exports(ctx context.Context, user string) error {
	w.export = nil
	err := w.SendAs(ctx, user, http.MethodGet, "/export.csv", nil)
	if err != nil || w.Last.Err != nil || w.Last.Status != http.StatusOK {
		return err // a later step is about the response
	}
	rows, err := csv.NewReader(strings.NewReader(string(w.Last.Body))).ReadAll()
	w.export = rows
	return err
}

// exportHas compares the number of rows of each record type, such as "1 profile, 3 batch".
func (w *world) exportHas(n int, want string) error {
	counts := map[string]int{}
	seen := map[string]bool{}
	for _, row := range w.export[1:] {
		counts[row[0]]++
		seen[strings.Join(row, "\x00")] = true
	}
	var got []string
	for _, record := range []string{"profile", "batch", "event", "reminder", "device"} {
		if counts[record] > 0 {
			got = append(got, fmt.Sprintf("%d %s", counts[record], record))
		}
	}
	if list := strings.Join(got, ", "); list != want || len(w.export) != n+1 || len(seen) != n {
		return fmt.Errorf("it has %d rows, %d of them different: %s", len(w.export)-1, len(seen), list)
	}
	return nil
}

func (w *world) exportCell(column, want string) error {
	want = strings.NewReplacer(`\t`, "\t", `\r`, "\r", `\n`, "\n").Replace(want)
	at := slices.Index(w.export[0], column)
	if at < 0 {
		return fmt.Errorf("it has the columns %v", w.export[0])
	}
	var got []string
	for _, row := range w.export[1:] {
		if row[at] == want {
			return nil
		}
		got = append(got, row[at])
	}
	return fmt.Errorf("they have %q", got)
}

func (w *world) exportLacks(text string) error {
	for _, row := range w.export {
		if strings.Contains(strings.Join(row, "\n"), text) {
			return fmt.Errorf("one is %q", row)
		}
	}
	return nil
}

// limitPages makes the store return small pages, as it does for partitions of many megabytes.
func (w *world) limitPages(n int32) {
	w.Wire.AddInspector(func(_ string, input any) {
		switch in := input.(type) {
		case *dynamodb.QueryInput:
			in.Limit = cmp.Or(in.Limit, &n)
		case *dynamodb.ScanInput:
			in.Limit = cmp.Or(in.Limit, &n)
		}
	})
}

// failsAfter makes the store fail after this number of queries.
func (w *world) failsAfter(n int64) {
	var asked atomic.Int64
	w.Wire.AddSubstitute(func(operation string, _ any) (any, error, bool) {
		if operation != "Query" || asked.Add(1) <= n {
			return nil, nil, false
		}
		return nil, &types.InternalServerError{Message: aws.String("by the scenario")}, true
	})
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// put writes an item as another program may have.
func (w *world) put(ctx context.Context, item steps.Item) error {
	out, err := w.Once.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: w.Table(table), Item: item, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes,
	})
	if w.Reply = (steps.Reply{Err: err}); err == nil && out.ConsumedCapacity != nil {
		w.Consumed = []types.ConsumedCapacity{*out.ConsumedCapacity}
	}
	return err
}
