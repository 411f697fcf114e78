package iam

import "testing"

func mustParse(t testing.TB, kind Kind, name, document string) *Policy {
	t.Helper()
	p, err := Parse(kind, name, []byte(document))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return p
}

func TestExplicitDenyWins(t *testing.T) {
	t.Parallel()
	p := mustParse(t, Identity, "p", `{"Version":"2012-10-17","Statement":[
		{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
		{"Sid":"NoDelete","Effect":"Deny","Action":"dynamodb:Delete*","Resource":"arn:aws:dynamodb:*:*:table/orders"}]}`)
	r := &Request{Principal: ParsePrincipal("arn:aws:iam::123456789012:user/ana"), Action: "dynamodb:deleteItem", Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/orders"}
	d := Evaluate(r, &Policies{Identity: []*Policy{p}})
	if d.Allowed || d.Statement.String() != "p, statement NoDelete" {
		t.Fatalf("%+v", d)
	}
	r.Resource += "/index/x"
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); !d.Allowed || d.Statement.Index != 0 {
		t.Fatalf("%+v", d)
	}
}
