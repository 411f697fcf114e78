package verification

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/backend/tables"
	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

// entry is an entry of the audit trail.
type entry struct {
	EventID, At, UserID, Role, Action, Outcome string
	VerificationID, DocumentID, Reference      string
	From, To, Reason                           string
}

func (w *world) auditSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the administrator reads the audit trail of "([^"]*)"$`, func(ctx context.Context, user string) error {
		return w.readTrail(ctx, "user", user)
	})
	sc.Step(`^the administrator reads the audit trail of (today|\d{4}-\d\d-\d\d)$`,
		func(ctx context.Context, day string) error {
			return w.readTrail(ctx, "date", day)
		})
	sc.Step(`^the administrator reads the audit trail of (?:"([^"]*)"|today) in pages of (\d+)$`, w.readPages)
	sc.Step(`^the trail has (\d+) entries in (\d+) pages, newest first$`, w.trailHas)
	sc.Step(`^it has the entries:$`, w.hasEntries)
	sc.Step(`^the trail of "([^"]*)" ends with "([^"]*)"$`, w.endsWith)
	sc.Step(`^the service runs in its role, on a store that enforces IAM policies$`, w.enforcePolicies)
	sc.Step(`^the application may not (change|delete|delete in a batch|change in a transaction|delete in a transaction) an entry of the audit trail$`,
		w.mayNot)
	sc.Step(`^the application may add an entry to the audit trail, but cannot overwrite one$`, w.mayAdd)
	sc.Step(`^a copy of the table holds nothing of "([^"]*)" in the audit trail$`, w.trailLacks)
	sc.Step(`^every entry of the audit trail ends 5 years after it was made$`, w.endInFiveYears)
}

func (w *world) readTrail(ctx context.Context, by, what string) error {
	what, err := w.Fill(what)
	if err != nil {
		return err
	}
	if what == "today" {
		what = w.Clock.Now().UTC().Format("2006-01-02")
	}
	if err := w.settleTrail(ctx, by); err != nil {
		return err
	}
	w.SendStep(ctx, administrator, http.MethodGet, "/audit?limit=100&"+url.Values{by: {what}}.Encode(), nil)
	return nil
}

// readPages reads all pages of a user's trail, or of today's. Each page read is itself recorded as an entry of the
// administrator.
func (w *world) readPages(ctx context.Context, user string, limit int) error {
	by, what := "user", user
	if user == "" {
		by, what = "date", w.Clock.Now().UTC().Format("2006-01-02")
	}
	what, err := w.Fill(what)
	if err != nil {
		return err
	}
	if err := w.settleTrail(ctx, by); err != nil {
		return err
	}
	w.Responses = nil
	query := url.Values{by: {what}, "limit": {strconv.Itoa(limit)}}
	for {
		w.SendStep(ctx, administrator, http.MethodGet, "/audit?"+query.Encode(), nil)
		p, err := httpapi.Decode[struct{ NextCursor string }](w.Last)
		if err != nil {
			return err
		}
		w.Responses = append(w.Responses, w.Last)
		if p.NextCursor == "" {
			return nil
		}
		if len(w.Responses) == 100 {
			return errors.New("the pages have no end")
		}
		query.Set("cursor", p.NextCursor)
	}
}

// trailHas counts the entries of all pages, which must be without duplicates and newest first.
func (w *world) trailHas(want, pages int) error {
	seen, filled, before := map[string]bool{}, 0, "9999"
	for _, a := range w.Responses {
		p, err := httpapi.Decode[struct{ Entries []entry }](a)
		if err != nil {
			return err
		}
		if len(p.Entries) > 0 { // the last page may be empty
			filled++
		}
		for _, e := range p.Entries {
			if seen[e.EventID] || e.At > before {
				return fmt.Errorf("%s is twice, or after %s: %s", e.At, before, e.line())
			}
			seen[e.EventID], before = true, e.At
		}
	}
	if len(seen) != want || filled != pages {
		return fmt.Errorf("it has %d entries in %d pages", len(seen), filled)
	}
	return nil
}

func (w *world) settleTrail(ctx context.Context, by string) error {
	if by != "user" {
		return nil
	}
	return w.AwaitIndexEntries(ctx, table, "GSI3")
}

func (w *world) entries() ([]entry, error) {
	p, err := httpapi.Decode[struct{ Entries []entry }](w.Last)
	return p.Entries, err
}

// hasEntries compares the texts of the entries in any order, because entries of the same time have no defined order.
func (w *world) hasEntries(rows *godog.Table) error {
	entries, err := w.entries()
	if err != nil {
		return err
	}
	left := map[string]int{}
	for _, e := range entries {
		left[e.line()]++
	}
	for _, row := range rows.Rows {
		cells := make([]string, len(row.Cells))
		for i, cell := range row.Cells {
			cells[i] = cell.Value
		}
		want, err := w.Fill(strings.Join(cells, " | "))
		if err != nil {
			return err
		}
		if left[want]--; left[want] < 0 {
			return fmt.Errorf("there is no %s among\n%s", want, strings.Join(lines(entries), "\n"))
		}
	}
	if len(entries) != len(rows.Rows) {
		return fmt.Errorf("there are %d:\n%s", len(entries), strings.Join(lines(entries), "\n"))
	}
	return nil
}

// line returns the entry as text: who did what in which role and with what, how it ended, and the change.
func (e entry) line() string {
	what := strings.Trim(e.VerificationID+" "+e.DocumentID+" "+e.Reference, " ")
	change := strings.Trim(e.From+" "+e.To+" "+e.Reason, " ")
	return strings.Join([]string{e.UserID, e.Role, e.Action, what, e.Outcome, change}, " | ")
}

func lines(entries []entry) []string {
	all := make([]string, len(entries))
	for i, e := range entries {
		all[i] = e.line()
	}
	return all
}

// endsWith checks the newest entry of a user.
func (w *world) endsWith(ctx context.Context, user, want string) error {
	if err := w.readTrail(ctx, "user", user); err != nil {
		return err
	}
	entries, err := w.entries()
	if err != nil {
		return err
	}
	want, err = w.Fill(want)
	if err == nil && (len(entries) == 0 || !strings.Contains(entries[0].line(), want)) {
		err = fmt.Errorf("it is %s", strings.Join(lines(entries), "\n"))
	}
	return err
}

// enforcePolicies starts a private emulator with the system's identities, and the service with the application's role.
func (w *world) enforcePolicies(ctx context.Context) error {
	if err := w.Restart(emulator.WithIdentitiesFrom(bytes.NewReader(schema.Identities()))); err != nil {
		return err
	}
	w.Client = dynamodb.NewFromConfig(inRegion(w.Target.Emulator.AWSConfigFor("admin")))
	if err := tables.Create(ctx, w.Client, schema.Schema(w.Prefix).Tables); err != nil {
		return err
	}
	clear(w.clients)
	cfg := w.role()
	cfg.HTTPClient = &http.Client{Transport: w.Link}
	return w.start(cfg)
}

// role returns a config with a session of the application's role.
func (w *world) role() aws.Config {
	cfg := inRegion(w.Target.Emulator.AWSConfigFor("verification"))
	assumed := stscreds.NewAssumeRoleProvider(sts.NewFromConfig(cfg),
		"arn:aws:iam::123456789012:role/verification-application")
	cfg.Credentials = aws.NewCredentialsCache(assumed)
	cfg.Retryer = func() aws.Retryer { return aws.NopRetryer{} }
	return cfg
}

func (w *world) attemptChange(ctx context.Context, how string, key steps.Item) error {
	client, name := dynamodb.NewFromConfig(w.role()), w.Table(table)
	set, values := aws.String("SET outcome = :x"), steps.Item{":x": &types.AttributeValueMemberS{Value: "changed"}}
	switch how {
	case "change":
		_, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key, UpdateExpression: set,
			ExpressionAttributeValues: values})
		return err
	case "delete":
		_, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: key})
		return err
	case "delete in a batch":
		_, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
			*name: {{DeleteRequest: &types.DeleteRequest{Key: key}}},
		}})
		return err
	case "change in a transaction":
		_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Update: &types.Update{TableName: name, Key: key, UpdateExpression: set, ExpressionAttributeValues: values}},
		}})
		return err
	}
	_, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: name, Key: key}},
	}})
	return err
}

func (w *world) mayNot(ctx context.Context, how string) error {
	before, err := w.trail(ctx)
	if err != nil || len(before) == 0 {
		return errors.Join(err, errors.New("the trail has entries"))
	}
	err = w.attemptChange(ctx, how, steps.Item{"PK": before[0]["PK"], "SK": before[0]["SK"]})
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "AccessDeniedException" {
		return fmt.Errorf("it ended with %w", errors.Join(err, errors.New("no denial")))
	}
	after, err := w.trail(ctx)
	if err == nil && len(after) != len(before) {
		err = fmt.Errorf("there were %d entries and are %d", len(before), len(after))
	}
	return err
}

// mayAdd puts an entry, and then the same one with the service's condition.
func (w *world) mayAdd(ctx context.Context) error {
	client := dynamodb.NewFromConfig(w.role())
	item := steps.Item{
		"PK": &types.AttributeValueMemberS{Value: "AUDIT#2026-01-14"},
		"SK": &types.AttributeValueMemberS{Value: "2026-01-14T10:00:00.000Z#evt_1"},
	}
	put := &dynamodb.PutItemInput{TableName: w.Table(table), Item: item,
		ConditionExpression: aws.String("attribute_not_exists(PK)")}
	if _, err := client.PutItem(ctx, put); err != nil {
		return err
	}
	_, err := client.PutItem(ctx, put)
	var there *types.ConditionalCheckFailedException
	if !errors.As(err, &there) {
		return fmt.Errorf("it was overwritten: %w", err)
	}
	return nil
}

// trail returns all stored entries.
func (w *world) trail(ctx context.Context) ([]steps.Item, error) {
	items, err := w.Items(ctx, table)
	var entries []steps.Item
	for _, i := range items {
		if isAuditEntry(i) {
			entries = append(entries, i)
		}
	}
	return entries, err
}

func isAuditEntry(item steps.Item) bool {
	pk, ok := item["PK"].(*types.AttributeValueMemberS)
	return ok && strings.HasPrefix(pk.Value, "AUDIT#")
}

func itemText(item steps.Item) string { return wire.Value(&types.AttributeValueMemberM{Value: item}) }

// trailLacks checks that no entry contains the text, in upper or lower case.
func (w *world) trailLacks(ctx context.Context, text string) error {
	entries, err := w.trail(ctx)
	if err == nil && len(entries) == 0 {
		err = errors.New("there is no entry at all")
	}
	for _, i := range entries {
		if entry := itemText(i); strings.Contains(strings.ToLower(entry), strings.ToLower(text)) {
			return fmt.Errorf("an entry is %s", entry)
		}
	}
	return err
}

func (w *world) endInFiveYears(ctx context.Context) error {
	entries, err := w.trail(ctx)
	if err == nil && len(entries) == 0 {
		err = errors.New("there is no entry at all")
	}
	want := fmt.Sprint(w.Clock.Now().AddDate(5, 0, 0).Unix())
	for _, i := range entries {
		if ttl, ok := i["ttl"].(*types.AttributeValueMemberN); !ok || ttl.Value != want {
			return fmt.Errorf("ttl is %v, not %s", i["ttl"], want)
		}
	}
	return err
}
