package iam

import "testing"

// TestClosestAllow asks which statement is closest to allowing what nothing allows.
func TestClosestAllow(t *testing.T) {
	t.Parallel()
	const policy = `{"Version":"2012-10-17","Statement":[
		{"Sid":"Write","Effect":"Allow","Action":"dynamodb:PutItem","Resource":"arn:aws:dynamodb:*:*:table/orders"},
		{"Sid":"Deny","Effect":"Deny","Action":"dynamodb:DeleteItem","Resource":"*"},
		{"Sid":"Stock","Effect":"Allow","Action":"dynamodb:GetItem","Resource":"arn:aws:dynamodb:*:*:table/stock"},
		{"Sid":"Own","Effect":"Allow","Action":"dynamodb:GetItem","Resource":"arn:aws:dynamodb:*:*:table/orders",
			"Condition":{"StringEquals":{"dynamodb:LeadingKeys":"ana"}}},
		{"Sid":"Key","Effect":"Allow","Action":"kms:Decrypt","Resource":"arn:aws:kms:*:*:key/1"}]}`
	p, err := Parse(Identity, "orders", []byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/"
	for _, c := range []struct{ action, table, key, want string }{
		{"dynamodb:GetItem", "orders", "bob", "Own"}, {"dynamodb:GetItem", "orders", "ana", ""},
		{"dynamodb:GetItem", "carts", "ana", "Stock"}, {"dynamodb:Scan", "orders", "ana", "Write"},
		{"dynamodb:Scan", "carts", "ana", ""},
	} {
		r := &Request{Action: c.action, Resource: arn + c.table, Context: Context{"dynamodb:leadingkeys": {c.key}}}
		e := Explain(r, &Policies{Identity: []*Policy{p}})
		got := ""
		if i := e.Closest(); i >= 0 {
			got = e.Statements[i].Statement.Sid
		}
		if got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.action, c.table, got, c.want)
		}
	}
}
