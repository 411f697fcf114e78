package iam

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// counted is work that ends after so many steps.
type counted struct{ steps, most int }

var errWork = errors.New("too much work")

func (c *counted) Step(n int) error {
	if c.steps += n; c.steps > c.most {
		return errWork
	}
	return nil
}

// attributePolicy allows requests whose attributes are among so many, by an operator.
func attributePolicy(t *testing.T, operator, format string, n int) *Policy {
	t.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(format, i)
	}
	p, err := Parse(Identity, "wide", []byte(`{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*",
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

// Names without wildcards are looked up: a request of 60,000 attributes does not compare each with each of a policy's.
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

// Patterns are compared with each value, and that work is counted and ends.
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
