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
	bo := &identity.Principal{Principal: iam.Principal{Account: "111122223333"}, Region: "eu-west-1",
		Space: "111122223333"}
	shared, isolated, apart, others := Spaces{}, Spaces{Isolate: true}, Spaces{Regions: []string{"eu-west-1"}},
		Spaces{Regions: []string{"eu-west-2"}}
	for _, c := range []struct {
		spaces               Spaces
		who                  *identity.Principal
		want, region, number string
	}{
		{shared, nil, "", DefaultRegion, Default},
		{isolated, nil, "key/eu-west-1", "eu-west-1", Default},
		{apart, nil, "/eu-west-1", "eu-west-1", Default},
		{others, nil, "", DefaultRegion, Default},
		{shared, ana, "111122223333/us-east-2", "us-east-2", "111122223333"},
		{isolated, ana, "111122223333/eu-west-1", "eu-west-1", "111122223333"},
		{apart, ana, "111122223333/us-east-2", "us-east-2", "111122223333"},
		{apart, bo, "111122223333/eu-west-1", "eu-west-1", "111122223333"},
		{others, bo, "111122223333", DefaultRegion, "111122223333"},
		{shared, root, "", DefaultRegion, Default},
		{isolated, root, Default + "/eu-west-1", "eu-west-1", Default},
		{apart, root, "/eu-west-1", "eu-west-1", Default},
	} {
		space := c.spaces.Of(c.who != nil, scope, c.who)
		if space != c.want || Region(space) != c.region || ID("").Number(space) != c.number {
			t.Errorf("%+v, of %v: %q in %s of %s, want %q in %s of %s", c.spaces, c.who, space, Region(space),
				ID("").Number(space), c.want, c.region, c.number)
		}
		if there := c.spaces.Sibling(c.spaces.Sibling(space, DefaultRegion), c.region); there != space &&
			c.spaces.KeepsApart(c.region) {
			t.Errorf("%+v: the sibling of %q is %q", c.spaces, space, there)
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
