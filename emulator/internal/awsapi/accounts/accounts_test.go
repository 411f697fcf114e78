package accounts

import (
	"net/http/httptest"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

func TestSpace(t *testing.T) {
	t.Parallel()
	scope := Scope{"key", "eu-west-1"}
	ana := &identity.Principal{Principal: iam.Principal{Account: "111122223333"}, Region: "eu-west-1",
		Space: "111122223333/us-east-2"}
	root := &identity.Principal{Principal: iam.Principal{Account: Default}, Region: "eu-west-1", Space: Default}
	for _, c := range []struct {
		isolate              bool
		who                  *identity.Principal
		want, region, number string
	}{
		{false, nil, "", DefaultRegion, Default},
		{true, nil, "key/eu-west-1", "eu-west-1", Default},
		{false, ana, "111122223333/us-east-2", "us-east-2", "111122223333"},
		{true, ana, "111122223333/eu-west-1", "eu-west-1", "111122223333"},
		{false, root, "", DefaultRegion, Default},
		{true, root, Default + "/eu-west-1", "eu-west-1", Default},
	} {
		space := Space(c.who != nil, c.isolate, scope, c.who)
		if space != c.want || Region(space) != c.region || ID("").Number(space) != c.number {
			t.Errorf("isolated %v, of %v: %q in %s of %s, want %q in %s of %s", c.isolate, c.who, space, Region(space),
				ID("").Number(space), c.want, c.region, c.number)
		}
	}
	if arn := ID("").ARN("kms", "key/eu-west-1", "key/1"); arn != "arn:aws:kms:eu-west-1:000000000000:key/1" {
		t.Error(arn)
	}
	for space, want := range map[string]string{"": "444455556666", "key/eu-west-1": "444455556666",
		"111122223333/us-east-2": "111122223333", Default + "/eu-west-1": "444455556666"} {
		if got := ID("444455556666").Number(space); got != want {
			t.Errorf("%q is of %s, want %s", space, got, want)
		}
	}
}

func TestCredential(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header, query string
		want          Scope
		signed        bool
	}{
		{"", "", Scope{}, false},
		{"Basic Credential=key/20260101/eu-west-1/kms/aws4_request", "", Scope{"key", "eu-west-1"}, false},
		{"AWS4-HMAC-SHA256 Credential=key/20260101/eu-west-1/kms/aws4_request, SignedHeaders=host, Signature=0", "",
			Scope{"key", "eu-west-1"}, true},
		{"", "?X-Amz-Credential=key%2F20260101%2Feu-west-1%2Fkms%2Faws4_request", Scope{"key", "eu-west-1"}, true},
		{"AWS4-HMAC-SHA256 Credential=key", "", Scope{"key", ""}, true},
	} {
		r := httptest.NewRequest("POST", "/"+c.query, nil)
		r.Header.Set("Authorization", c.header)
		credential, signed := Credential(r)
		if scope := ScopeOf(credential); scope != c.want || signed != c.signed {
			t.Errorf("%q %q: %+v, %v, want %+v, %v", c.header, c.query, scope, signed, c.want, c.signed)
		}
	}
}
