// Package accounts tells whose resources a request to one of AWS's services is about.
//
// Resources lie in spaces. By default all requests share one, which has no name. With isolation each access key has one
// in each region, named KEY/REGION; where identities are configured, each account does, named ACCOUNT/REGION or
// ACCOUNT.
package accounts

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// Where a space is, unless its name says otherwise: what ARNs name.
const (
	Default       = identity.DefaultAccount
	DefaultRegion = "us-east-1"
)

// Scope is what a request is signed with: nothing says that it is real unless identities are configured.
type Scope struct{ AccessKey, Region string }

// ScopeOf reads a credential: key/date/region/service/aws4_request. What it does not have is empty.
func ScopeOf(credential string) Scope {
	key, rest, _ := strings.Cut(credential, "/")
	_, rest, _ = strings.Cut(rest, "/")
	region, _, _ := strings.Cut(rest, "/")
	return Scope{key, region}
}

// Credential returns the credential that a request is signed with, in its URL or its header; ok is false for a request
// that has no signature.
func Credential(r *http.Request) (credential string, ok bool) {
	if credential = r.URL.Query().Get("X-Amz-Credential"); credential != "" {
		return credential, true
	}
	header := r.Header.Get("Authorization")
	_, rest, _ := strings.Cut(header, "Credential=")
	credential, _, _ = strings.Cut(rest, ",")
	return credential, strings.HasPrefix(header, "AWS4-")
}

// Space returns the name of the space of a request that is signed with scope: where identities are configured, that of
// who asks.
func Space(gate identity.Gate, isolate bool, scope Scope, who *identity.Principal) string {
	switch known := gate.On(); {
	case !known && isolate:
		return scope.AccessKey + "/" + scope.Region
	case !known:
		return ""
	case isolate:
		return who.Account + "/" + who.Region // as it is signed
	case who.Space == Default:
		return ""
	}
	return who.Space
}

// Region returns the region that a space is in.
func Region(space string) string {
	_, region, _ := strings.Cut(space, "/")
	return cmp.Or(region, DefaultRegion)
}

// Number returns the number of the account that a space is of: that of its name where identities are configured.
func Number(space string) string {
	if id, _, _ := strings.Cut(space, "/"); len(id) == len(Default) && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return Default
}

// ARN names a resource of a space, such as key/ID of the service kms.
func ARN(service, space, resource string) string {
	return "arn:aws:" + service + ":" + Region(space) + ":" + Number(space) + ":" + resource
}
