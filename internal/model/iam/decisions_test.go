package iam

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/tabletop-db/tabletop/internal/testutil/race"
)

// asked is a request in the format of testdata.
type asked struct {
	Principal, Action, Resource string
	Context                     Context
	Owner                       string
	ResourceDecides             bool
}

// TestDecisions runs the files of testdata/decisions: policies by kind, and requests with their decisions.
func TestDecisions(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata/decisions", func(t *testing.T, path string) {
		t.Parallel()
		var p Policies
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "policies": // replaces all policies
				p = Policies{}
				return ""
			case "ask":
				return ask(t, d, p)
			}
			return attach(&p, d)
		})
	})
}

// attach parses a policy and adds it to the others.
func attach(p *Policies, d *datadriven.TestData) string {
	kinds := map[string]Kind{"identity": Identity, "resource": Resource, "boundary": Boundary, "session": Session,
		"trust": Trust}
	kind := kinds[d.Cmd]
	policy, err := Parse(kind, "the "+d.Cmd+"'s", []byte(d.Input))
	if err != nil {
		return err.Error() + "\n"
	}
	switch kind {
	case Identity:
		p.Identity = append(p.Identity, policy)
	case Resource, Trust:
		p.Resource = append(p.Resource, policy)
	case Boundary:
		p.Boundary = policy
	case Session:
		p.Session = append(p.Session, policy)
	}
	return ""
}

func ask(t *testing.T, d *datadriven.TestData, p Policies) string {
	var a asked
	if err := json.Unmarshal([]byte(d.Input), &a); err != nil {
		t.Fatalf("%s: %v", d.Pos, err)
	}
	if a.Principal == "" {
		a.Principal = "arn:aws:iam::123456789012:user/ana"
	}
	p.Owner, p.ResourceDecides = a.Owner, a.ResourceDecides
	r := &Request{Principal: ParsePrincipal(a.Principal), Action: a.Action, Resource: a.Resource, Context: a.Context}
	e := Explain(r, &p)
	text := e.String() + "\n"
	if d.HasArg("why") {
		for _, f := range e.Statements {
			text += f.Statement.String() + ": " + strings.Join(f.Reasons, "; ") + "\n"
		}
	}
	if !e.Decision.Allowed {
		text += e.Decision.Message(r) + "\n"
	}
	return text
}

func TestEvaluateDoesNotAllocate(t *testing.T) {
	p := &Policies{Identity: []*Policy{mustParse(t, Identity, "p", `{"Version":"2012-10-17","Statement":[
		{"Effect":"Allow","Action":["dynamodb:Get*","dynamodb:PutItem"],"Resource":["arn:aws:dynamodb:*:*:table/orders/index/*","arn:aws:dynamodb:*:*:table/orders"],
		 "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}}]}`)}}
	r := &Request{Principal: ParsePrincipal("arn:aws:iam::123456789012:user/ana"), Action: "dynamodb:PutItem",
		Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/orders", Context: Context{"dynamodb:leadingkeys": {"ana"},
			"aws:username": {"ana"}}}
	if d := Evaluate(r, p); !d.Allowed {
		t.Fatalf("%+v", d)
	}
	if n := testing.AllocsPerRun(100, func() { Evaluate(r, p) }); n != 0 && !race.Enabled {
		t.Errorf("it allocates %v times", n)
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	request := func(action, resource string, keys ...string) Request {
		return Request{Action: "dynamodb:" + action, Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/" + resource,
			Context: Context{"dynamodb:LeadingKeys": keys}}
	}
	requests := []Request{
		request("GetItem", "orders", "a"), request("PutItem", "orders", "b"), request("GetItem", "orders", "a"),
		request("GetItem", "people", "a"),
		request("PutItem", "people", "x"), request("Query", "orders/index/by-day", "2026"), request("Scan", "people"),
	}
	got, err := Suggest(requests, SuggestOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := mustParse(t, Identity, "suggested", string(got))
	if len(p.Statements) != 3 {
		t.Errorf("%s", got)
	}
	for _, r := range requests {
		if d := Evaluate(&r, &Policies{Identity: []*Policy{p}}); !d.Allowed {
			t.Errorf("%s of %s is not allowed by\n%s", r.Action, r.Resource, got)
		}
	}
	other := request("DeleteItem", "orders", "a")
	if d := Evaluate(&other, &Policies{Identity: []*Policy{p}}); d.Allowed {
		t.Errorf("it allows more:\n%s", got)
	}
	if got, err = Suggest(requests, SuggestOptions{LeadingKeys: true}); err != nil ||
		!strings.Contains(string(got), `"2026"`) {
		t.Errorf("%s %v", got, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		administratorSeed, `{"Statement":[]}`, `{`, `[]`,
		"", `{"Version":"2012-10-17","Statement":{"Effect":"Deny","NotAction":"a:*","NotResource":"arn:aws:x:${a:b,'c'}:*","Condition":{"ForAnyValue:StringLikeIfExists":{"a:b":["${*}?*x"]}}}}`,
	} {
		f.Add(seed, "dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:123456789012:table/x")
	}
	f.Fuzz(func(t *testing.T, document, action, resource string) {
		for _, kind := range []Kind{Identity, Resource, Trust} {
			p, err := Parse(kind, "p", []byte(document))
			if err != nil {
				continue
			}
			again, err := Parse(kind, "p", []byte(p.Text))
			if err != nil || again.Text != p.Text {
				t.Fatalf("%q is written as %q: %v", document, p.Text, err)
			}
			r := &Request{Principal: ParsePrincipal(resource), Action: action, Resource: resource,
				Context: Context{"a:b": {action, resource}}}
			policies := &Policies{Identity: []*Policy{p}, Resource: []*Policy{p}}
			if e := Explain(r, policies); e.Decision != Evaluate(r, policies) {
				t.Fatal("it is explained as something else")
			}
		}
	})
}

const administratorSeed = `{"Version":"2012-10-17","Statement":[{"Sid":"A","Effect":"Allow","Action":"*","Resource":"*"}]}`
