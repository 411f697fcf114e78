package identities

import (
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// administrator is the only AWS managed policy that exists without being described.
const administrator = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}`

// resolve resolves the names in the descriptions, and indexes users, roles and keys.
func (d *Directory) resolve(r reader) error {
	d.keys, d.users, d.roles = map[string]*Key{}, map[string]*User{}, map[string]*Role{}
	for _, id := range slices.Sorted(maps.Keys(d.accounts)) {
		a := d.accounts[id]
		for _, name := range slices.Sorted(maps.Keys(a.users)) {
			if err := d.resolveUser(r, a, name); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(a.roles)) {
			spec := a.roles[name]
			identity, err := a.identity(r, name, "AROA", &spec.identitySpec)
			if err != nil {
				return err
			}
			identity.ARN = RoleARN(a.id, name)
			d.roles[identity.ARN] = &Role{Identity: identity, Trust: spec.trust, MaxSession: spec.maxSession}
		}
	}
	return nil
}

func (d *Directory) resolveUser(r reader, a *account, name string) error {
	spec := a.users[name]
	identity, err := a.identity(r, name, "AIDA", &spec.identitySpec)
	if err != nil {
		return err
	}
	identity.ARN = UserARN(a.id, name)
	u := &User{Identity: identity}
	for _, group := range spec.groups {
		g, ok := a.groups[group.Value]
		if !ok {
			return r.refuse(group, "there is no group %q in account %s: describe it under groups", group.Value, a.id)
		}
		policies, err := a.policiesOf(r, &g.identitySpec)
		if err != nil {
			return err
		}
		u.Groups = append(u.Groups, group.Value)
		u.Policies = append(u.Policies, policies...)
	}
	for _, key := range spec.keys {
		if other, taken := d.keys[key.ID]; taken {
			return r.refuse(spec.at, "access key %s also belongs to user %s: use a unique id", key.ID, other.User.Name)
		}
		own := &Key{ID: key.ID, Secret: key.Secret, User: u}
		u.Keys = append(u.Keys, own)
		d.keys[key.ID] = own
	}
	d.users[u.ARN] = u
	return nil
}

// identity returns what users and roles have in common.
func (a *account) identity(r reader, name, prefix string, spec *identitySpec) (Identity, error) {
	policies, err := a.policiesOf(r, spec)
	if err != nil {
		return Identity{}, err
	}
	i := Identity{Account: a.id, Name: name, ID: uniqueID(prefix, a.id, name), Tags: spec.tags, Policies: policies}
	if spec.boundary != nil {
		p, err := a.policy(r, spec.boundary)
		if err != nil {
			return i, err
		}
		i.Boundary = p.As(iam.Boundary)
	}
	return i, nil
}

func (a *account) policiesOf(r reader, spec *identitySpec) ([]*iam.Policy, error) {
	var all []*iam.Policy
	for _, name := range spec.attached {
		p, err := a.policy(r, name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	for _, name := range slices.Sorted(maps.Keys(spec.inline)) {
		all = append(all, spec.inline[name])
	}
	return all, nil
}

// policy returns a policy by name, or by an ARN that ends with it.
func (a *account) policy(r reader, name *yaml.Node) (*iam.Policy, error) {
	short := name.Value[strings.LastIndexByte(name.Value, '/')+1:]
	if p, ok := a.policies[short]; ok {
		return p, nil
	}
	if short == "AdministratorAccess" {
		return iam.Parse(iam.Identity, short, []byte(administrator))
	}
	return nil, r.refuse(name,
		"there is no policy %q in account %s: describe it under policies (AdministratorAccess is predefined)",
		name.Value, a.id)
}

// uniqueID returns a user's or role's id, which is derived from its name so that it is stable.
func uniqueID(prefix, account, name string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	h := fnv.New64a()
	_, _ = h.Write([]byte(prefix + account + "/" + name))
	id, sum := []byte(prefix), h.Sum64()
	for range 17 {
		id = append(id, letters[sum%32])
		sum = sum/32 ^ sum<<27
	}
	return string(id)
}
