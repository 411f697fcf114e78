package kms_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/kms"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

func TestRotationOnDemandHasALimit(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.say(t, "CreateKey", "{}")
	for range 25 {
		if got := d.say(t, "RotateKeyOnDemand", `{"KeyId": "$KeyId"}`); !strings.HasPrefix(got, "{") {
			t.Fatal(got)
		}
	}
	if got := d.say(t, "RotateKeyOnDemand", `{"KeyId": "$KeyId"}`); !strings.HasPrefix(got, "LimitExceededException: ") {
		t.Error(got)
	}
}

// TestAnotherServiceOnTheStore checks that another service on the store has the same keys, and never repeats an id.
func TestAnotherServiceOnTheStore(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.say(t, "CreateKey", "{}")
	d.say(t, "CreateAlias", `{"AliasName": "alias/a", "TargetKeyId": "$KeyId"}`)
	first := d.held["KeyId"]
	d.say(t, "Encrypt", `{"KeyId": "alias/a", "Plaintext": "aGVsbG8="}`)
	if err := d.service.Close(); err != nil {
		t.Fatal(err)
	}
	var err error
	if d.service, err = kms.New(kms.Config{Store: d.store, Clock: d.clock, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	d.say(t, "Decrypt", `{"KeyId": "alias/a", "CiphertextBlob": "$CiphertextBlob"}`)
	if got := d.held["Plaintext"]; got != "aGVsbG8=" {
		t.Errorf("decrypted %q", got)
	}
	if d.say(t, "CreateKey", "{}"); d.held["KeyId"] == first {
		t.Error("a second key has the id of the first")
	}
}

func TestIsolatedAccountsHaveTheirOwnKeys(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	var err error
	if d.service, err = kms.New(kms.Config{Store: d.store, Clock: d.clock,
		Spaces: accounts.Spaces{Isolate: true}}); err != nil {
		t.Fatal(err)
	}
	for i, who := range []string{"a/20261121/us-east-1", "b/20261121/us-east-1", "a/20261121/eu-west-1"} {
		for range i + 1 {
			d.postAs(who, "CreateKey", "{}")
		}
		var out struct{ Keys []struct{ KeyArn string } }
		if err := json.Unmarshal(d.postAs(who, "ListKeys", "{}").Body.Bytes(), &out); err != nil || len(out.Keys) != i+1 {
			t.Errorf("%s has %v, %v", who, out, err)
		}
		if region := who[len(who)-9:]; !strings.Contains(out.Keys[0].KeyArn, strings.TrimPrefix(region, "/")) {
			t.Errorf("%s has %v", who, out)
		}
	}
}

// inIreland is a gate at which all requests are signed for one region.
type inIreland struct{ identity.Gate }

func (inIreland) Enabled() bool { return true }

func (inIreland) Authenticate(*http.Request, []byte) (*identity.Principal, error) {
	return &identity.Principal{Principal: iam.Principal{Account: "123456789012"}, Region: "eu-west-1"}, nil
}

// TestKeysAreOfTheRegionThatIsSigned names another region in a request where identities determine the region.
func TestKeysAreOfTheRegionThatIsSigned(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	var err error
	if d.service, err = kms.New(kms.Config{Store: d.store, Clock: d.clock, Spaces: accounts.Spaces{Isolate: true},
		Gate: inIreland{identity.AllowAll()}}); err != nil {
		t.Fatal(err)
	}
	if made := d.postAs("a/20261121/us-east-1", "CreateKey", "{}").Body.String(); !strings.Contains(made,
		"arn:aws:kms:eu-west-1:123456789012:key/") {
		t.Errorf("the key is %s", made)
	}
}

func FuzzRequests(f *testing.F) {
	d := newTestService(f)
	d.post("CreateKey", "{}")
	f.Add("Encrypt", `{"KeyId": "alias/a", "Plaintext": "aGVsbG8=", "EncryptionContext": {"a": "b"}}`)
	f.Add("Decrypt", `{"CiphertextBlob": "AQAA"}`)
	f.Add("CreateGrant", `{"KeyId": "x", "Operations": [null], "GranteePrincipal": "y"}`)
	f.Add("CreateAlias", `{"AliasName": "alias/", "TargetKeyId": "arn:aws:kms:::"}`)
	f.Fuzz(func(t *testing.T, operation, body string) {
		if w := d.post(operation, body); w.Code != 200 && w.Code != 400 {
			t.Error(fmt.Sprint(w.Code), w.Body.String())
		}
	})
}
