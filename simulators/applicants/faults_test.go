package applicants

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// Tampering with the table behind the applicants' backs is detected.
func TestTamperingIsDetected(t *testing.T) {
	t.Parallel()
	cfg := Config{Config: simenv.Config{Seed: 2}, Applicants: 6}.withDefaults()
	env, clear, err := openEnvironment(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = env.Close(), clear() })
	s, err := play(t.Context(), env, cfg)
	if err != nil {
		t.Fatal(err)
	}
	tamper(t, s)
	res, err := s.compareAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	faults := strings.Join(res.Faults, "\n")
	for _, want := range []string{
		"changed: case ver_", "is in_review, not ", "changed: the audit trail of case", "lost: document doc_",
		"in clear text: the item CASE#", "unexpected: the item CASE#",
	} {
		if !strings.Contains(faults, want) {
			t.Errorf("not found out: %s\n%s", want, faults)
		}
	}
	if res.Err() == nil {
		t.Error("the verdict is good")
	}
}

// TestStop checks that a simulation that is stopped finds no faults: the reviewers decide what was submitted, and all
// other cases expire.
func TestStop(t *testing.T) {
	t.Parallel()
	times := []time.Duration{0, 20 * time.Hour, 40 * time.Hour, 80 * time.Hour}
	for n := range 10 { // while somebody applies
		if app := NewPlan(2, n, 1).Applications[0]; app.Verdict.submitted() {
			times = append(times, app.At+step)
			break
		}
	}
	for _, at := range times {
		t.Run(at.String(), func(t *testing.T) {
			t.Parallel()
			stop := make(chan struct{})
			cfg := Config{Config: simenv.Config{Seed: 2, Stop: stop}, Applicants: 10}.withDefaults()
			env, clear, err := openEnvironment(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = env.Close(), clear() })
			s, actors, err := setUp(t.Context(), env, cfg)
			if err != nil {
				t.Fatal(err)
			}
			err = s.run(t.Context(), append(actors, &singleAction{at: at, do: func(context.Context) error {
				close(stop)
				return nil
			}}))
			if err != nil {
				t.Fatal(err)
			}
			res, err := s.compareAll(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if res.Err() != nil {
				t.Error(res.Err(), res.Faults)
			}
		})
	}
}

// tamper reverts a decision, deletes a document and the audit entry of a transition, and stores an email address in the
// clear.
func tamper(t *testing.T, s *simulation) {
	t.Helper()
	table, client := verification.Table, s.env.Embedded.DynamoDB
	items, err := s.env.Embedded.Scan(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	text := func(item map[string]types.AttributeValue, name string) string {
		env, _ := item[name].(*types.AttributeValueMemberS)
		if env == nil {
			return ""
		}
		return env.Value
	}
	done := map[string]bool{}
	for _, item := range items {
		kind, _, _ := strings.Cut(itemKey(item), "#")
		switch {
		case kind == "CASE" && text(item, "status") == string(Approved) && !done["case"]:
			done["case"] = true
			item["status"] = &types.AttributeValueMemberS{Value: "in_review"}
			item["note"] = &types.AttributeValueMemberS{Value: "ask " + s.applicants[0].plan.Email}
			delete(item, "ttl")
			_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		case kind == "AUDIT" && text(item, "action") == "case.submit" && !done["audit"],
			text(item, "status") == "uploaded" && !done["document"]:
			done[map[bool]string{true: "audit", false: "document"}[kind == "AUDIT"]] = true
			_, err = client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
				TableName: &table, Key: map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]},
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Entries of the same millisecond are ordered by their chain of statuses.
func TestEntriesOfOneMillisecondAreOrderedByStatus(t *testing.T) {
	t.Parallel()
	entry := func(at, from, to string) object { return object{"action": "move", "at": at, "from": from, "to": to} }
	l := trail{entries: []object{entry("1", "", "a"), entry("2", "b", "c"), entry("2", "a", "b"), entry("3", "c", "d"),
		entry("4", "x", "y")}}
	l.format()
	if got := strings.Join(l.lines, "; "); got != "move -> a; move a -> b; move b -> c; move c -> d; move x -> y" {
		t.Error(got)
	}
}
