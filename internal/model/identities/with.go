package identities

import (
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Change describes one entity of an account.
type Change struct {
	Account  string
	Kind     string // users, groups, roles, policies, tables, or KindKeys
	Name     string
	Document []byte // as in a file, in YAML or JSON
}

// Same reports whether two changes describe the same entity.
func (c Change) Same(other Change) bool {
	return c.Account == other.Account && c.Kind == other.Kind && c.Name == other.Name
}

// KindKeys is the kind of a change that adds an access key to a user, without a secret in the directory. Its name is
// the key's id, its document the user's name.
const KindKeys = "keys"

// kinds are the kinds of changes, each after those that it may name.
var kinds = [...]string{"policies", "tables", "groups", "roles", "users", KindKeys}

// inOrder returns changes in the order in which each can name what an earlier one describes.
func inOrder(changes []Change) []Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b Change) int {
		return slices.Index(kinds[:], a.Kind) - slices.Index(kinds[:], b.Kind)
	})
}

// With returns a directory with changes. The directory itself does not change. Errors name the change that is invalid.
func (d *Directory) With(changes ...Change) (*Directory, error) {
	next := d.clone()
	for _, c := range inOrder(changes) {
		if err := next.apply(c); err != nil {
			return nil, err
		}
	}
	return next, next.resolve(reader{file: "identities"})
}

// Inapplicable is a change that does not apply to a directory, and why.
type Inapplicable struct {
	Change
	Err error
}

// WithApplicable returns a directory with those changes that apply to it, and the other ones. What one of these
// describes gives no access, even if the directory describes it too: the change may have been a restriction.
func (d *Directory) WithApplicable(changes ...Change) (*Directory, []Inapplicable) {
	if next, err := d.With(changes...); err == nil {
		return next, nil
	}
	var others []Inapplicable
	for _, c := range inOrder(changes) {
		next, err := d.With(c)
		if err != nil {
			others = append(others, Inapplicable{c, err})
			next = d.without(c)
		}
		d = next
	}
	return d, others
}

// Empty returns a directory of an account, without identities.
func Empty(id string) *Directory { return &Directory{Account: id, accounts: map[string]*account{}} }

// without returns the directory without access for what a change describes.
func (d *Directory) without(c Change) *Directory {
	next := d.clone()
	next.account(c.Account).withhold(c.Kind, c.Name)
	_ = next.resolve(reader{}) // succeeds as before: a user or role less, or a group or policy that names nothing
	return next
}

// withhold removes a user or role. A group or policy denies everything to those who have it, and a table's policy to
// everybody.
func (a *account) withhold(kind, name string) {
	switch kind {
	case "users":
		delete(a.users, name)
	case "roles":
		delete(a.roles, name)
	case "groups":
		inline := map[string]*iam.Policy{name: denial(iam.Identity, name, "")}
		a.groups[name] = &groupSpec{identitySpec{inline: inline}}
	case "policies":
		a.policies[name] = denial(iam.Identity, name, "")
	case "tables":
		a.tables[name] = denial(iam.Resource, name, `"Principal":"*",`)
	}
}

// denial returns a policy that denies everything.
func denial(kind iam.Kind, name, principal string) *iam.Policy {
	p, err := iam.Parse(kind, name, []byte(`{"Statement":{"Effect":"Deny",`+principal+`"Action":"*","Resource":"*"}}`))
	if err != nil {
		panic(err) // the document is constant
	}
	return p
}

func (d *Directory) clone() *Directory {
	next := &Directory{Region: d.Region, Account: d.Account, accounts: map[string]*account{}}
	for id, a := range d.accounts {
		next.accounts[id] = a.clone()
	}
	return next
}

// account returns an account, which is new if the directory does not have it.
func (d *Directory) account(id string) *account {
	a, ok := d.accounts[id]
	if !ok {
		a = newAccount(id)
		d.accounts[id] = a
	}
	return a
}

func (a *account) clone() *account {
	return &account{id: a.id, users: maps.Clone(a.users), groups: maps.Clone(a.groups), roles: maps.Clone(a.roles),
		policies: maps.Clone(a.policies), tables: maps.Clone(a.tables)}
}

func (d *Directory) apply(c Change) error {
	r := reader{file: c.Kind + "/" + c.Name, derived: true}
	a := d.account(c.Account)
	name := &yaml.Node{Kind: yaml.ScalarNode, Value: c.Name}
	if !accountID.MatchString(c.Account) {
		return r.refuse(name, "%q is not an account: write twelve digits", c.Account)
	}
	if c.Kind == KindKeys {
		return r.key(a, c.Name, string(c.Document))
	}
	var document yaml.Node
	if err := yaml.Unmarshal(c.Document, &document); err != nil || len(document.Content) == 0 {
		return r.refuse(name, "this is neither YAML nor JSON")
	}
	value := document.Content[0]
	switch c.Kind {
	case "policies":
		p, err := r.policy(iam.Identity, c.Name, value)
		a.policies[c.Name] = p
		return err
	case "tables":
		p, err := r.policy(iam.Resource, c.Name, value)
		a.tables[c.Name] = p
		return err
	case "users", "groups", "roles":
		return r.entity(a, c.Kind, name, value)
	}
	return r.refuse(name, "unknown kind %q: use users, groups, roles, policies or tables", c.Kind)
}

// key adds an access key to a user.
func (r reader) key(a *account, id, user string) error {
	spec, ok := a.users[user]
	if !ok {
		return &Error{File: r.file, Problem: "there is no user " + user + " in account " + a.id}
	}
	own := *spec
	own.keys = append(own.keys[:len(own.keys):len(own.keys)], &Key{ID: id})
	a.users[user] = &own
	return nil
}
