package kms

import (
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// account is a space of keys. Without isolation there is one, with an empty name.
type account struct {
	*Service
	name    string
	keys    map[string]*key   // by id
	aliases map[string]*alias // by name, with the prefix alias/
}

// alias is another name of a key. It is immutable: an update creates another one.
type alias struct {
	Name, Target  string
	Created, Last float64
}

// account returns the account of a name, or a new one, which is stored once it has a key. s.mu must be held.
func (s *Service) account(name string) *account {
	if a, ok := s.accounts[name]; ok {
		return a
	}
	return &account{Service: s, name: name, keys: map[string]*key{}, aliases: map[string]*alias{}}
}

// id returns the account number.
func (a *account) id() string { return a.accountID.Number(a.name) }

// rootARN returns the ARN of the account in policies.
func (a *account) rootARN() string { return "arn:aws:iam::" + a.id() + ":root" }

func (a *account) region() string { return accounts.Region(a.name) }

// arn returns the ARN of a resource of the account: key/ID or alias/NAME.
func (a *account) arn(resource string) string { return a.accountID.ARN("kms", a.name, resource) }

var uuidPattern = lazyregexp.New(`^(mrk-[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$`)

// find returns the key for a key id or key ARN.
func (a *account) find(ref string) (*key, error) {
	resource, err := a.resourceOf(ref)
	if err != nil {
		return nil, err
	}
	id, ok := strings.CutPrefix(resource, "key/")
	if !ok || !uuidPattern.MatchString(id) {
		return nil, notFound("Invalid keyId '" + ref + "'")
	}
	if k, ok := a.keys[id]; ok {
		return k, nil
	}
	return nil, notFound("Key '" + a.arn(resource) + "' does not exist")
}

// findAny returns the key for a key id, alias or ARN.
func (a *account) findAny(ref string) (*key, error) {
	resource, err := a.resourceOf(ref)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(resource, "alias/") {
		return a.find(ref)
	}
	al, ok := a.aliases[resource]
	if !ok {
		return nil, aliasNotFound(a, resource)
	}
	return a.find(al.Target)
}

// resourceOf returns the resource of a reference, key/ID or alias/NAME, in this account and region.
func (a *account) resourceOf(ref string) (string, error) {
	if strings.HasPrefix(ref, "alias/") {
		return ref, nil
	}
	if !strings.HasPrefix(ref, "arn:") {
		return "key/" + ref, nil
	}
	parts := strings.SplitN(ref, ":", 6)
	switch {
	case len(parts) != 6 || parts[2] != "kms":
		return "", kmsError("InvalidArnException", ref+" is not a valid arn")
	case parts[3] != a.region():
		return "", notFound("Invalid arn " + parts[3])
	case parts[4] != a.id():
		return "", notFound("Key '" + ref + "' does not exist")
	}
	return parts[5], nil
}

// sortedKeys returns the account's keys by id.
func (a *account) sortedKeys() []*key {
	return slices.SortedFunc(maps.Values(a.keys), func(x, y *key) int { return strings.Compare(x.ID, y.ID) })
}

// sortedAliases returns the account's aliases by name.
func (a *account) sortedAliases() []*alias {
	return slices.SortedFunc(maps.Values(a.aliases), func(x, y *alias) int { return strings.Compare(x.Name, y.Name) })
}
