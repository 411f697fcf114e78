package iam

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestPatternsCountCharacters matches wildcards with characters of several bytes: ? is one character, wherever a *
// before it ends.
func TestPatternsCountCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"?", "é", true}, {"??", "é", false}, {"*?", "€", true}, {"*??", "€", false}, {"*???", "a€", false},
		{"*??", "a€", true},
		{"a*?b", "a€b", true}, {"a*??b", "a€b", false}, {"*?", "", false}, {"**", "", true}, {"", "", true}, {"", "x", false},
		{"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXcYb", false}, {"*.*", "a", false},
	} {
		p, err := patternSyntax{wildcards: true}.compile(c.pattern)
		if got := p.matches(c.text, &Request{}); err != nil || got != c.want {
			t.Errorf("%q, %q: %v %v", c.pattern, c.text, got, err)
		}
	}
}

// TestConditionsOfMissingAndManyValues checks the operators against IAM's documentation: "Condition operators",
// "Single-valued and multivalued context keys" and "Policy variables". The key a:k has the values; nil is a request
// without it.
func TestConditionsOfMissingAndManyValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		operator, wanted string
		values           []string
		want             bool
	}{
		{"StringEquals", `"x"`, nil, false}, {"StringEqualsIfExists", `"x"`, nil, true}, {"StringEqualsIfExists", `"x"`,
			[]string{"y"}, false},
		{"StringNotEquals", `"x"`, nil, true}, {"StringNotLike", `"x*"`, nil, true},
		{"ArnNotLike", `"arn:aws:s3:::*"`, nil, true},
		{"NotIpAddress", `"10.0.0.0/8"`, nil, true}, {"NumericNotEquals", `"1"`, nil, true},
		{"DateNotEquals", `"2026-01-01"`, nil, true},
		{"Bool", `"false"`, nil, false}, {"BoolIfExists", `"false"`, nil, true}, {"Bool", `true`, []string{"TRUE"}, true},
		{"ForAllValues:StringEquals", `"x"`, nil, true}, {"ForAllValues:StringEquals", `"x"`, []string{}, true},
		{"ForAllValues:StringEquals", `["x","y"]`, []string{"y", "x", "x"}, true}, {"ForAllValues:StringEquals", `["x","y"]`,
			[]string{"x", "z"}, false},
		{"ForAllValues:StringNotEquals", `"x"`, []string{"y", "x"}, false}, {"ForAllValues:StringNotEquals",
			`"x"`, nil, true},
		{"ForAnyValue:StringEquals", `"x"`, nil, false}, {"ForAnyValue:StringEquals", `"x"`, []string{"y", "x"}, true},
		{"ForAnyValue:StringNotEquals", `"x"`, nil, false}, {"ForAnyValue:StringNotEquals", `"x"`, []string{"x", "y"}, true},
		{"ForAnyValue:StringNotEquals", `"x"`, []string{"x"}, false}, {"ForAnyValue:StringLikeIfExists", `"x*"`, nil, true},
		{"ForAllValues:StringLikeIfExists", `"x*"`, []string{"xa", "b"}, false},
		{"Null", `"true"`, nil, true}, {"Null", `"true"`, []string{"x"}, false}, {"Null", `"false"`, []string{"x"}, true},
		{"Null", `false`, nil, false},
		{"StringEquals", `"X"`, []string{"x"}, false}, {"StringEqualsIgnoreCase", `"É"`, []string{"é"}, true},
		{"StringEquals", `"É"`, []string{"E\u0301"}, false},
		{"StringEquals", `"x "`, []string{"x"}, false}, {"StringEquals", `"x*"`, []string{"xa"}, false},
		{"StringLike", `"x${*}"`, []string{"xa"}, false},
		{"StringLike", `"x${*}"`, []string{"x*"}, true}, {"StringEquals", `"${a:missing}"`, []string{"${a:missing}"}, false},
		{"StringEquals", `"${a:missing}"`, []string{""}, false}, {"StringEquals", `"${a:many}"`, []string{"1"}, false},
		{"StringEquals", `"${a:missing, 'd'}"`, []string{"d"}, true}, {"StringLike", `"${a:star}"`,
			[]string{"anything"}, false},
		{"StringLike", `"${a:star}"`, []string{"*"}, true}, {"StringEquals", `"${A:Star}"`, []string{"*"}, true},
		{"IpAddress", `"10.0.0.1/8"`, []string{"10.255.255.255"}, true}, {"IpAddress", `"10.0.0.0/8"`,
			[]string{"::ffff:10.0.0.1"}, true},
		{"IpAddress", `"0.0.0.0/0"`, []string{"::1"}, false}, {"IpAddress", `"::/0"`, []string{"10.0.0.1"}, false},
		{"IpAddress", `"0.0.0.0/0"`, []string{"nonsense"}, false},
		{"NumericLessThan", `"10"`, []string{"9"}, true}, {"NumericLessThan", `10`, []string{"1e1"}, false},
		{"NumericEquals", `"1"`, []string{"1.0"}, true},
		{"NumericEquals", `"0"`, []string{"-0"}, true}, {"NumericGreaterThan", `"0"`, []string{"NaN"}, false},
		{"NumericGreaterThan", `"0"`, []string{"x"}, false},
		{"DateLessThan", `"2026-11-22T00:00:00Z"`, []string{"2026-11-22T00:30:00+01:00"}, true},
		{"DateEquals", `"1970-01-01"`, []string{"0"}, true},
		{"DateGreaterThan", `"2026-11-22"`, []string{"yesterday"}, false}, {"BinaryEquals", `"aGk="`, []string{"aGk="}, true},
		{"BinaryEquals", `"aGk="`, []string{"hi"}, false},
		{"ArnLike", `"arn:aws:sns:*:123456789012:*"`, []string{"arn:aws:sns:eu:x:123456789012:t"}, false},
		{"ArnEquals", `"arn:aws:s3:::b*"`, []string{"arn:aws:s3:::bucket/a:b"}, true}, {"ArnLike", `"arn:aws:s3:::b"`,
			[]string{"no ARN"}, false},
	} {
		for _, deny := range []bool{false, true} { // a condition has the same meaning in both
			effect, others := "Allow", ""
			if deny {
				effect, others = "Deny", `,{"Effect":"Allow","Action":"*","Resource":"*"}`
			}
			p := mustParse(t, Identity, "p",
				fmt.Sprintf(
					`{"Version":"2012-10-17","Statement":[{"Effect":%q,"Action":"*","Resource":"*","Condition":{%q:{"a:K":%s}}}%s]}`,
					effect, c.operator, c.wanted, others))
			r := &Request{Principal: ParsePrincipal("arn:aws:iam::123456789012:user/ana"), Action: "s:A",
				Resource: "arn:aws:s:::x",
				Context:  Context{"a:star": {"*"}, "a:many": {"1", "2"}}}
			if c.values != nil {
				r.Context.(Context)["a:k"] = c.values
			}
			if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); d.Allowed != (c.want != deny) {
				values, _ := json.Marshal(c.values)
				t.Errorf("%s %s %s of %s: allowed is %v", effect, c.operator, c.wanted, values, d.Allowed)
			}
		}
	}
}
