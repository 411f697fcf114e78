package iam

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// counted is Work that ends after a number of steps.
type counted struct{ steps, most int }

var errWork = errors.New("too much work")

func (c *counted) Step(n int) error {
	if c.steps += n; c.steps > c.most {
		return errWork
	}
	return nil
}

// attributePolicy returns a policy that allows requests whose attributes are among n, with an operator.
func attributePolicy(t *testing.T, operator, format string, n int) *Policy {
	t.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	p, err := Parse(Identity, "wide",
		[]byte(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
		"Condition":{"ForAllValues:`+operator+`":{"dynamodb:Attributes":["`+strings.Join(names, `","`)+`"]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wideContext(n int) Context {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf("a%d", i%2000)
	}
	return Context{"dynamodb:Attributes": values}
}

// Names without wildcards are looked up: the 60,000 attributes of a request are not compared with each of a policy's.
func TestLiteralValuesAreLookedUp(t *testing.T) {
	t.Parallel()
	p := attributePolicy(t, "StringEquals", "a%d", 2000)
	work := &counted{most: 1 << 30}
	r := &Request{Action: "dynamodb:PutItem", Resource: "*", Context: wideContext(60_000), Work: work}
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); !d.Allowed {
		t.Error("not allowed")
	}
	if work.steps > 200_000 {
		t.Errorf("%d steps", work.steps)
	}
	r.Context = Context{"dynamodb:Attributes": {"a1", "other"}}
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); d.Allowed {
		t.Error("an attribute that the policy does not name is allowed")
	}
}

// Patterns are compared with each value, and that work is counted and limited.
func TestWorkOfPatternsIsCounted(t *testing.T) {
	t.Parallel()
	p := attributePolicy(t, "StringNotLike", "a*b*c*%d", 2000)
	work := &counted{most: 1_000_000}
	r := &Request{Action: "dynamodb:PutItem", Resource: "*", Context: wideContext(60_000), Work: work}
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); d.Allowed || work.Step(0) == nil {
		t.Errorf("allowed, or no error, after %d steps", work.steps)
	}
	if work.steps > 1_010_000 {
		t.Errorf("%d steps after a bound of 1,000,000", work.steps)
	}
}

// hostileValue is a value of a condition that many patterns take long to match.
var hostileValue = strings.Repeat("a", 8<<10)

// hostilePolicies returns policies of the largest size whose patterns take long for hostileValue, by name.
func hostilePolicies() map[string]string {
	const frame = `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringLike":{"own:key":[%s]}}}}`
	repeat := func(text string) string {
		return `"` + strings.TrimSuffix(strings.Repeat(text+`","`, (20<<10)/(len(text)+3)), `","`) + `"`
	}
	return map[string]string{
		"stars":     fmt.Sprintf(frame, repeat("*a*a*a*b")),
		"one star":  fmt.Sprintf(frame, `"*`+strings.Repeat("a", 20<<10)+`b"`),
		"questions": fmt.Sprintf(frame, `"*`+strings.Repeat("?a", 10<<10)+`b"`),
		"variables": fmt.Sprintf(frame, repeat("*${own:other}x")),
		"resources": fmt.Sprintf(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":[%s]}}`,
			repeat("arn:aws:x:y:z:*a*a*b")),
		"statements": `{"Version":"2012-10-17","Statement":[` +
			strings.TrimSuffix(strings.Repeat(`{"Effect":"Deny","Action":"a:*","Resource":"arn:aws:x:y:z:*a*b"},`, 300), ",") +
			`]}`,
	}
}

// hostileRequest returns a request with the value in everything that a client controls, and a few hundred condition
// keys, like the encryption context of a KMS request.
func hostileRequest(work Work) *Request {
	r := &Request{Action: "a:b", Resource: "arn:aws:x:y:z:" + hostileValue, Work: work,
		Context: Context{"own:key": {hostileValue}, "own:other": {"ab"}}}
	for i := range 300 {
		r.Context.(Context)[fmt.Sprint("own:", i)] = []string{"x"}
	}
	return r
}

// TestHostilePoliciesEnd evaluates policies that would take minutes.
func TestHostilePoliciesEnd(t *testing.T) {
	t.Parallel()
	const most = 20 * time.Second // about 20 ms are usual
	for name, text := range hostilePolicies() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := Parse(Identity, name, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			work, began := &counted{most: 100_000}, time.Now()
			for work.Step(0) == nil && time.Since(began) < most {
				Evaluate(hostileRequest(work), &Policies{Identity: []*Policy{p}})
			}
			if took := time.Since(began); took > most {
				t.Errorf("100,000 steps take %v", took)
			}
			if work.steps > 101_000 {
				t.Errorf("%d steps", work.steps)
			}
		})
	}
}

// FuzzWorkEnds evaluates any policy with any value, repeated, with a limit and without one: the limit ends it, or the
// decision is the same.
func FuzzWorkEnds(f *testing.F) {
	for _, text := range hostilePolicies() {
		f.Add(text, "a", uint8(40))
	}
	f.Add(administratorSeed, "", uint8(0))
	f.Fuzz(func(t *testing.T, document, value string, times uint8) {
		if len(document) > 20<<10 || len(value) > 64 {
			return
		}
		p, err := Parse(Identity, "p", []byte(document))
		if err != nil {
			return
		}
		value = strings.Repeat(value, int(times))
		request := func(work Work) *Request {
			return &Request{Action: "a:b", Resource: "arn:aws:x:y:z:" + value, Work: work,
				Context: Context{"own:key": {value, "a"}, "own:other": {value}}}
		}
		work := &counted{most: 5000}
		d := Evaluate(request(work), &Policies{Identity: []*Policy{p}})
		if work.steps > work.most+triesAtOnce+len(document) {
			t.Errorf("%d steps", work.steps)
		}
		if work.Step(0) == nil && d != Evaluate(request(nil), &Policies{Identity: []*Policy{p}}) {
			t.Error("the decision is another one with a bound that is not reached")
		}
	})
}
