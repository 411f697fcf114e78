package iam

import "testing"

// TestEdgesOfPolicies checks edge cases of policies against IAM's user guide: the pages "Policy variables" (its
// sections "Policy variables with no value" and "Specifying default values"), "Condition operators", "Single-valued and
// multivalued context keys", "Action" and "NotPrincipal", and DynamoDB's developer guide on dynamodb:LeadingKeys.
func TestEdgesOfPolicies(t *testing.T) {
	t.Parallel()
	const table, ana = "arn:aws:dynamodb:eu-west-1:123456789012:table/red", "arn:aws:iam::123456789012:user/ana"
	team := Context{"aws:PrincipalTag/team": {"red"}}
	for _, c := range []struct {
		name, statement string
		context         Context
		want            bool
	}{
		{"NotResource, and the variable has the resource's value",
			`"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}"`, team, false},
		{"NotResource, and another value",
			`"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}"`,
			Context{"aws:PrincipalTag/team": {"blue"}}, true},
		{"NotResource, and no value: it matches no resource, so that none is left out",
			`"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}"`, nil, true},
		{"NotResource, and no value but a default",
			`"Effect":"Allow","Action":"*","NotResource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team, 'red'}"`, nil,
			false},
		{"a default that is not needed",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team, 'blue'}"`, team,
			true},
		{"an empty default",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/red${aws:PrincipalTag/team, ''}"`, nil, true},
		{"a default with a wildcard, which stands for itself",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team, '*'}"`, nil, false},
		{"a value with a wildcard, which stands for itself",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:PrincipalTag/team}"`,
			Context{"aws:PrincipalTag/team": {"*"}}, false},
		{"a key of several values is no variable",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${a:many}"`,
			Context{"a:many": {"red", "blue"}}, false},
		{"StringEquals to a variable without a value",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{"a:k":"${aws:PrincipalTag/team}"}}`,
			Context{"a:k": {""}}, false},
		{"StringNotEquals to a variable without a value",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringNotEquals":{"a:k":"${aws:PrincipalTag/team}"}}`,
			Context{"a:k": {"x"}}, true},
		{"ForAllValues of a key that is not there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"ForAllValues:StringEquals":{"a:k":"x"}}`, nil, true},
		{"ForAllValues of a key that has to be there", `"Effect":"Allow","Action":"*","Resource":"*","Condition":{"ForAllValues:StringEquals":{"a:k":"x"},"Null":{"a:k":"false"}}`,
			nil, false},
		{"ForAnyValue of a key that is not there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringEquals":{"a:k":"x"}}`, nil, false},
		{"IfExists of a key that is not there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEqualsIfExists":{"a:k":"x"}}`, nil, true},
		{"IfExists of a key that is there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEqualsIfExists":{"a:k":"x"}}`,
			Context{"a:k": {"y"}}, false},
		{"IfExists of a negated operator",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringNotEqualsIfExists":{"a:k":"x"}}`, nil, true},
		{"Null, true, of a key that is not there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Null":{"a:k":"true"}}`, nil, true},
		{"Null, true, of a key that is there",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Null":{"a:k":"true"}}`, Context{"a:k": {"x"}}, false},
		{"Null, false, of a key that has no values",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Null":{"a:k":"false"}}`, Context{"a:k": {}}, false},
		{"a condition key in other case",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{"A:K":"x"}}`,
			Context{"a:k": {"x"}}, true},
		{"the value of a key in other case",
			`"Effect":"Allow","Action":"*","Resource":"*","Condition":{"StringEquals":{"a:k":"X"}}`,
			Context{"a:k": {"x"}}, false},
		{"an action in other case", `"Effect":"Allow","Action":"DYNAMODB:getitem","Resource":"*"`, nil, true},
		{"NotAction in other case", `"Effect":"Allow","NotAction":"dynamodb:GETITEM","Resource":"*"`, nil, false},
		{"a resource in other case", `"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/RED"`, nil, false},
		{"a wildcard for the account", `"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:eu-west-1:*:table/red"`,
			nil, true},
		{"a wildcard in the account",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:eu-west-1:12345678901?:table/red"`, nil, true},
		{"a wildcard of the account does not reach the table",
			`"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:eu-west-1:*red"`, nil, false},
		{"Deny of leading keys, none of which is one's own", `"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":"ana"}}`,
			Context{"dynamodb:LeadingKeys": {"bob"}}, true},
		{"… one of which is another's", `"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":"ana"}}`,
			Context{"dynamodb:LeadingKeys": {"ana", "bob"}}, true},
		{"… all of which are one's own", `"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAnyValue:StringNotEquals":{"dynamodb:LeadingKeys":"ana"}}`,
			Context{"dynamodb:LeadingKeys": {"ana", "ana"}}, false},
		{"… of a request without keys, as a scan is", `"Effect":"Deny","Action":"*","Resource":"*","Condition":{"ForAllValues:StringNotEquals":{"dynamodb:LeadingKeys":"ana"}}`,
			nil, true},
	} {
		p := mustParse(t, Identity, "p", `{"Version":"2012-10-17","Statement":{`+c.statement+`}}`)
		r := &Request{Principal: ParsePrincipal(ana), Action: "dynamodb:GetItem", Resource: table, Context: c.context}
		s := p.Statements[0]
		if got := s.match(r) != noMatch; got != c.want {
			t.Errorf("%s: the statement takes effect: %v", c.name, got)
		}
	}
}

// TestNotPrincipal checks NotPrincipal against its page: it is allowed only in Deny statements of resource policies,
// and exempts the principals that it names. A principal that is to be exempt has to be named, and its account too. The
// account alone exempts its root user only.
func TestNotPrincipal(t *testing.T) {
	t.Parallel()
	const account, ana = "arn:aws:iam::123456789012:root", "arn:aws:iam::123456789012:user/ana"
	p := mustParse(t, Resource, "p", `{"Version":"2012-10-17","Statement":{"Effect":"Deny","NotPrincipal":{"AWS":["`+ana+
		`","`+account+`"]},"Action":"*","Resource":"*"}}`)
	for who, denied := range map[string]bool{
		ana: false, account: false, "arn:aws:iam::210987654321:user/ana": true,
		"arn:aws:iam::123456789012:user/bob": true, "arn:aws:sts::123456789012:assumed-role/bob/s": true,
		"arn:aws:sts::210987654321:assumed-role/ana/s": true,
	} {
		if got := p.Denies(&Request{Principal: ParsePrincipal(who), Action: "dynamodb:GetItem",
			Resource: "x"}); got != denied {
			t.Errorf("%s is denied: %v", who, got)
		}
	}
	for name, c := range map[string]struct {
		kind Kind
		text string
	}{
		"with Allow": {Resource, `"Effect":"Allow","NotPrincipal":{"AWS":"` + ana +
			`"},"Action":"dynamodb:GetItem","Resource":"*"`},
		"with Allow, in front": {Resource, `"NotPrincipal":{"AWS":"` + ana +
			`"},"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"`},
		"in a trust policy": {Trust, `"Effect":"Deny","NotPrincipal":{"AWS":"` + ana + `"},"Action":"sts:AssumeRole"`},
		"of an identity": {Identity, `"Effect":"Deny","NotPrincipal":{"AWS":"` + ana +
			`"},"Action":"dynamodb:GetItem","Resource":"*"`},
	} {
		if _, err := Parse(c.kind, "p", []byte(`{"Version":"2012-10-17","Statement":{`+c.text+`}}`)); err == nil {
			t.Errorf("NotPrincipal %s is taken", name)
		}
	}
}
