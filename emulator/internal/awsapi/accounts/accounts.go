// Package accounts determines the account of a request to one of AWS's services.
//
// Resources are in spaces. By default all requests share one space, with an empty name. With isolation each access key
// has a space in each region, named KEY/REGION. With configured identities each account has one, named ACCOUNT/REGION
// or ACCOUNT. Regions that are kept apart have spaces named /REGION or ACCOUNT/REGION, except the default one, which
// has the space that there is without them.
package accounts

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// The account, unless an [ID] says otherwise, and the region in the ARNs of a space whose name does not say them.
const (
	Default       = identity.DefaultAccount
	DefaultRegion = "us-east-1"
)

// Scope is the access key and region that a request is signed with. They are not verified unless identities are
// configured.
type Scope struct{ AccessKey, Region string }

// ScopeOf parses a credential: key/date/region/service/aws4_request. Missing parts are empty.
func ScopeOf(credential string) Scope {
	key, rest, _ := strings.Cut(credential, "/")
	_, rest, _ = strings.Cut(rest, "/")
	region, _, _ := strings.Cut(rest, "/")
	return Scope{key, region}
}

// Credential returns the credential that a request is signed with, in its URL or its header. ok is false for an
// unsigned request.
func Credential(r *http.Request) (credential string, ok bool) {
	if credential = r.URL.Query().Get("X-Amz-Credential"); credential != "" {
		return credential, true
	}
	header := r.Header.Get("Authorization")
	_, rest, _ := strings.Cut(header, "Credential=")
	credential, _, _ = strings.Cut(rest, ",")
	return credential, strings.HasPrefix(header, "AWS4-")
}

// Spaces says which requests have resources of their own.
type Spaces struct {
	// Isolate gives each pair of access key and region its own space.
	Isolate bool
	// Regions are kept apart from each other and from DefaultRegion: a request that is signed for one of them has its
	// space, any other that of DefaultRegion.
	Regions []string
}

// Of returns the name of the space of a request that is signed with scope; with configured identities, when the signer
// is known, that of who.
func (s Spaces) Of(known bool, scope Scope, who *identity.Principal) string {
	switch {
	case !known && s.Isolate:
		return scope.AccessKey + "/" + scope.Region
	case !known:
		return s.inRegion("", scope.Region)
	case s.Isolate:
		return who.Account + "/" + who.Region // the region of the signature
	case who.Space == Default:
		return s.inRegion("", who.Region)
	}
	return s.inRegion(who.Space, who.Region)
}

// inRegion returns the space of an account in a region, if the region is kept apart and the account's space does not
// name one already.
func (s Spaces) inRegion(account, region string) string {
	if region == DefaultRegion || !slices.Contains(s.Regions, region) || strings.Contains(account, "/") {
		return account
	}
	return account + "/" + region
}

// KeepsApart reports whether requests that are signed for a region see resources of that region only.
func (s Spaces) KeepsApart(region string) bool {
	return s.Isolate || len(s.Regions) > 0 && region == DefaultRegion || slices.Contains(s.Regions, region)
}

// Sibling returns the space that an account has in another region, which is kept apart.
func (s Spaces) Sibling(space, region string) string {
	if s.Isolate {
		return Owner(space) + "/" + region
	}
	return s.inRegion(Owner(space), region)
}

// Owner returns the part of a space's name that its siblings in other regions share.
func Owner(space string) string {
	owner, _, _ := strings.Cut(space, "/")
	return owner
}

// Region returns the region of a space.
func Region(space string) string {
	_, region, _ := strings.Cut(space, "/")
	return cmp.Or(region, DefaultRegion)
}

// ID is the account number of spaces whose names do not say another one. Empty means [Default].
type ID string

// Number returns the account number of a space: with configured identities, that in its name.
func (d ID) Number(space string) string {
	id, _, _ := strings.Cut(space, "/")
	if len(id) == len(Default) && id != Default && strings.Trim(id, "0123456789") == "" {
		return id
	}
	return cmp.Or(string(d), Default)
}

// ARN returns the ARN of a resource of a space, such as key/ID of the service kms.
func (d ID) ARN(service, space, resource string) string {
	return "arn:aws:" + service + ":" + Region(space) + ":" + d.Number(space) + ":" + resource
}
