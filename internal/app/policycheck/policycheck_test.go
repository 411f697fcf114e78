package policycheck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

const people = `
account: "123456789012"
users:
  bob:
    keys: [{id: AKIABOBBOBBOBBOBBOB1, secret: secret-of-bob}]
    inline:
      own: {Version: "2012-10-17", Statement: {Sid: Own, Effect: Allow, Action: "dynamodb:*", Resource: "*", Condition: {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}}}}
tables:
  audit: {Version: "2012-10-17", Statement: {Effect: Deny, Principal: "*", Action: "dynamodb:DeleteItem", Resource: "*"}}
`

const run = `{"tabletop":"recording","format":1,"version":"x","start":"2026-11-21T08:00:00Z","seed":1}
{"n":1,"time":"2026-11-21T08:00:00Z","micros":1,"service":"dynamodb","operation":"PutItem","principal":"arn:aws:iam::123456789012:user/bob","authorization":[{"action":"dynamodb:PutItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders","context":{"dynamodb:LeadingKeys":["bob"]}}],"status":200}
{"n":2,"time":"2026-11-21T08:00:00Z","micros":1,"service":"dynamodb","operation":"PutItem","accessKey":"AKIABOBBOBBOBBOBBOB1","authorization":[{"action":"dynamodb:PutItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/orders","context":{"dynamodb:LeadingKeys":["ana"]}}],"status":400}
{"n":3,"time":"2026-11-21T08:00:00Z","micros":1,"service":"dynamodb","operation":"DeleteItem","principal":"arn:aws:iam::123456789012:user/bob","authorization":[{"action":"dynamodb:DeleteItem","resource":"arn:aws:dynamodb:us-east-1:123456789012:table/audit","context":{"dynamodb:LeadingKeys":["bob"]}}],"status":400}
`

func TestCheck(t *testing.T) {
	t.Parallel()
	d, err := identities.Parse("people.yaml", []byte(people))
	if err != nil {
		t.Fatal(err)
	}
	in, err := recording.NewReader(strings.NewReader(run))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	s := &Source{Directory: d}
	err = Each(in, func(e *recording.Entry) error {
		verdicts, err := s.Check(e)
		for _, v := range verdicts {
			got = append(got, v.Explanation.String())
		}
		return err
	})
	want := "allowed by own, statement Own (identity-based policy)|denied: no identity-based policy allows it|denied by audit, Statement[0] (resource-based policy)"
	if strings.Join(got, "|") != want || err != nil {
		t.Errorf("%q %v", got, err)
	}
	if _, err := s.Check(&recording.Entry{N: 4}); err == nil || !strings.Contains(err.Error(), "--principal") {
		t.Error(err)
	}
}

// TestDistinctAccesses checks that an access is kept once, however often it is recorded, and that it is one for each
// partition key only if the policy names them.
func TestDistinctAccesses(t *testing.T) {
	t.Parallel()
	header, entries, _ := strings.Cut(run, "\n")
	text := header + "\n"
	for i := range 10 {
		text += strings.NewReplacer(`{"n":1,`, fmt.Sprintf(`{"n":%d,`, 3*i+1), `{"n":2,`, fmt.Sprintf(`{"n":%d,`, 3*i+2),
			`{"n":3,`, fmt.Sprintf(`{"n":%d,`, 3*i+3)).Replace(entries)
	}
	for leadingKeys, want := range map[bool]int{false: 2, true: 3} {
		in, err := recording.NewReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		all, n, err := distinctAccesses(in, iam.SuggestOptions{LeadingKeys: leadingKeys})
		if err != nil || n != 30 || len(all) != want {
			t.Errorf("leading keys %v: %d accesses of %d requests, want %d; %v", leadingKeys, len(all), n, want, err)
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	in, err := recording.NewReader(strings.NewReader(run))
	if err != nil {
		t.Fatal(err)
	}
	policy, n, err := Suggest(in, iam.SuggestOptions{})
	if err != nil || n != 3 || strings.Count(string(policy), "Effect") != 2 {
		t.Errorf("%d %s %v", n, policy, err)
	}
}
