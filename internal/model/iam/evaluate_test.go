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
	r := &Request{Principal: ParsePrincipal("arn:aws:iam::123456789012:user/ana"), Action: "dynamodb:deleteItem",
		Resource: "arn:aws:dynamodb:us-east-1:123456789012:table/orders"}
	d := Evaluate(r, &Policies{Identity: []*Policy{p}})
	if d.Allowed || d.Statement.String() != "p, statement NoDelete" {
		t.Fatalf("%+v", d)
	}
	r.Resource += "/index/x"
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); !d.Allowed || d.Statement.Index != 0 {
		t.Fatalf("%+v", d)
	}
}

// TestNamesThatDifferInCaseAreOneKey evaluates an encryption context with two values for one condition key.
func TestNamesThatDifferInCaseAreOneKey(t *testing.T) {
	t.Parallel()
	p := mustParse(t, Identity,
		"p", `{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"kms:Decrypt","Resource":"*",
		"Condition":{"StringEquals":{"kms:EncryptionContext:tenant":"7"}}}}`)
	r := &Request{Principal: ParsePrincipal("arn:aws:iam::123456789012:user/ana"), Action: "kms:Decrypt",
		Resource: "arn:aws:kms:us-east-1:123456789012:key/1"}
	for range 50 { // the order of a map is random
		r.Context = Context{"kms:EncryptionContext:tenant": {"8"}, "kms:EncryptionContext:Tenant": {"7"}}
		if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); d.Allowed {
			t.Fatal("a second name opens what is another tenant's")
		}
	}
	r.Context = Context{"kms:EncryptionContext:Tenant": {"7"}}
	if d := Evaluate(r, &Policies{Identity: []*Policy{p}}); !d.Allowed {
		t.Error("names of condition keys have no case")
	}
}
