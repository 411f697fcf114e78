package verification

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"

	schema "github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/features/httpapi"
	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/wire"
)

func (w *world) reviewSteps(sc *godog.ScenarioContext) {
	sc.Step(`^the case "([^"]*)" of "([^"]*)" is (\w+)$`, w.isAt)
	sc.Step(`^the reviewer "([^"]*)" moves "([^"]*)" to (\w+)$`, func(ctx context.Context, who, called, to string) error {
		return w.moves(ctx, who, called, map[string]string{"to": to})
	})
	sc.Step(`^the reviewer "([^"]*)" moves "([^"]*)" to (\w+) because of "([^"]*)"$`,
		func(ctx context.Context, who, called, to, reason string) error {
			return w.moves(ctx, who, called, map[string]string{"to": to, "reason": reason})
		})
	sc.Step(`^the reviewer "([^"]*)" moves "([^"]*)" to (\w+), expecting it to be (\w+)$`,
		func(ctx context.Context, who, called, to, saw string) error {
			return w.moves(ctx, who, called, map[string]string{"to": to, "expectedStatus": saw})
		})
	sc.Step(`^(\d+) reviewers move "([^"]*)" at once, to approved and to rejected$`, w.raceTo)
	sc.Step(`^the reviewer "([^"]*)" looks at "([^"]*)"$`, func(ctx context.Context, who, called string) error {
		path, err := w.path(called)
		if err != nil {
			return err
		}
		return w.review(ctx, who, http.MethodGet, "/review"+path, nil)
	})
	sc.Step(`^the reviewer "([^"]*)" lists the cases of (today|\d{4}-\d\d-\d\d)(?: in pages of (\d+))?$`, w.listsDay)
	sc.Step(`^a reviewer tries every move of "([^"]*)" and only (none|[a-z_, ]+) (?:is|are) possible$`, w.triesAll)
	sc.Step(`^"([^"]*)" confirms that all documents of "([^"]*)" are uploaded$`, w.clientMove("complete"))
	sc.Step(`^"([^"]*)" submits "([^"]*)"$`, w.clientMove("submit"))
	sc.Step(`^before the next change is stored, "([^"]*)" becomes (\w+)$`, func(called, status string) {
		w.beforeNextChange(func(ctx context.Context) error { return w.becomes(ctx, called, status) })
	})
	sc.Step(`^before the next change is stored, the reviewer "([^"]*)" moves "([^"]*)" to (\w+)$`,
		func(who, called, to string) {
			w.beforeNextChange(func(ctx context.Context) error {
				if err := w.moves(ctx, who, called, map[string]string{"to": to}); err != nil {
					return err
				}
				return w.Last.Succeeded()
			})
		})
	sc.Step(`^the reviewer "([^"]*)" lists the documents of "([^"]*)"$`,
		func(ctx context.Context, who, called string) error {
			path, err := w.path(called)
			if err != nil {
				return err
			}
			return w.review(ctx, who, http.MethodGet, "/review"+path+"/documents", nil)
		})
	sc.Step(`^every refusal names the current status$`, w.refusalsNameStatus)
}

// isAt opens a case and moves it to a status through the usual ones.
func (w *world) isAt(ctx context.Context, called, name, status string) error {
	if err := w.hasOpened(ctx, name, called); err != nil {
		return err
	}
	path, err := w.path(called)
	if err != nil {
		return err
	}
	for _, next := range statusesTo(schema.Status(status)) {
		switch next {
		case schema.DocumentsUploading:
			err = w.uploads(ctx, name, "omang_front", called)
		case schema.DocumentsComplete:
			err = w.act(ctx, name, http.MethodPost, path+"/complete", nil)
		case schema.Submitted:
			err = w.act(ctx, name, http.MethodPost, path+"/submit", nil)
		default:
			err = w.review(ctx, "rita", http.MethodPost, path+"/transition", map[string]string{"to": string(next)})
		}
		if err == nil {
			err = w.Last.Succeeded()
		}
		if err != nil {
			return fmt.Errorf("on the way to %s: %w", status, err)
		}
	}
	return nil
}

// statusesTo returns the statuses that a new case goes through to reach a status, ending with it.
func statusesTo(status schema.Status) []schema.Status {
	all := schema.Statuses()
	if i := slices.Index(all, status); i <= slices.Index(all, schema.InReview) {
		return all[1 : i+1]
	}
	return append(slices.Clone(all[1:slices.Index(all, schema.InReview)+1]), status)
}

func (w *world) moves(ctx context.Context, who, called string, body map[string]string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	return w.review(ctx, who, http.MethodPost, path+"/transition", body)
}

func (w *world) clientMove(what string) func(context.Context, string, string) error {
	return func(ctx context.Context, name, called string) error {
		path, err := w.path(called)
		if err != nil {
			return err
		}
		return w.act(ctx, name, http.MethodPost, path+"/"+what, nil)
	}
}

func (w *world) raceTo(ctx context.Context, n int, called string) error {
	path, err := w.path(called)
	if err != nil {
		return err
	}
	all := make([]httpapi.Credential, n)
	for i := range all {
		if all[i], err = w.reviewer("reviewer-" + strconv.Itoa(i)); err != nil {
			return err
		}
	}
	w.SendConcurrently(n, func(i int) httpapi.Response {
		to := []string{"approved", "rejected"}[i%2]
		return w.Send(ctx, all[i], http.MethodPost, path+"/transition", map[string]string{"to": to})
	})
	return nil
}

// refusalsNameStatus checks that one response is a success, and that each of the others is a conflict that names the
// status of the successful one.
func (w *world) refusalsNameStatus() error {
	won := ""
	for _, a := range w.Responses {
		if a.Status != http.StatusOK {
			continue
		}
		c, err := httpapi.Decode[struct{ Status string }](a)
		if err != nil {
			return err
		}
		if won != "" || c.Status == "" {
			return fmt.Errorf("it is %q, and one response is %s", won, a)
		}
		won = c.Status
	}
	if won == "" || len(w.Responses) < 2 {
		return fmt.Errorf("none of %d responses is a success, or none is a refusal", len(w.Responses))
	}
	named := regexp.MustCompile(`is (now |still )?` + won + `\b`)
	for _, a := range w.Responses {
		if a.Status != http.StatusOK && (a.Status != http.StatusConflict || !named.Match(a.Body)) {
			return fmt.Errorf("it is %s, and one response is %s", won, a)
		}
	}
	return nil
}

func (w *world) listsDay(ctx context.Context, who, day, limit string) error {
	if err := w.AwaitIndexEntries(ctx, table, "GSI2"); err != nil {
		return err
	}
	as, err := w.reviewer(who)
	if err != nil {
		return err
	}
	if day == "today" {
		day = w.Clock.Now().UTC().Format("2006-01-02")
	}
	query := url.Values{"date": {day}}
	if limit != "" {
		query.Set("limit", limit)
	}
	return w.readPage(ctx, as, "/review/cases", query)
}

// triesAll tries every status change that should be impossible, and checks that it is refused. It does not try the
// possible ones, because they would succeed.
func (w *world) triesAll(ctx context.Context, called, possible string) error {
	can := regexp.MustCompile(`, | and `).Split(possible, -1)
	for _, to := range schema.Statuses() {
		if slices.Contains(can, string(to)) {
			continue
		}
		if err := w.moves(ctx, "rita", called, map[string]string{"to": string(to)}); err != nil {
			return err
		}
		if err := w.Last.HasStatus(http.StatusConflict); err != nil {
			return fmt.Errorf("%s: %w", to, err)
		}
	}
	return nil
}

// beforeNextChange calls do once, between the service's read and the transaction that follows it.
func (w *world) beforeNextChange(do func(context.Context) error) {
	w.Wire.Before(func(c wire.Call) bool {
		return c.Operation == "TransactWriteItems"
	}, func() error { return do(context.Background()) })
}

// becomes writes a status to the store, as another instance of the service would.
func (w *world) becomes(ctx context.Context, called, status string) error {
	_, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: w.Table(table), Key: primary("CASE#"+w.cases[called], "META"), UpdateExpression: aws.String("SET #s = :s"),
		ExpressionAttributeNames:  map[string]string{"#s": "status"},
		ExpressionAttributeValues: steps.Item{":s": &types.AttributeValueMemberS{Value: status}},
	})
	return err
}
