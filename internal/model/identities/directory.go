package identities

import (
	"iter"
	"maps"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// DefaultAccount is the account of a file without accounts, as in an emulator without identities.
const DefaultAccount = "000000000000"

// Directory is a set of identities. It is immutable.
type Directory struct {
	// Region is the only region that signatures may be for; empty: any.
	Region string
	// Account is the account of names without one.
	Account  string
	accounts map[string]*account
	keys     map[string]*Key
	users    map[string]*User // by ARN
	roles    map[string]*Role // by ARN
}

// Key is an access key.
type Key struct {
	ID     string
	Secret string // empty: derived by the creator of the key
	User   *User
}

// Identity has the fields common to users and roles.
type Identity struct {
	Account  string
	Name     string
	ARN      string
	ID       string // unique id, as in aws:userid
	Tags     map[string]string
	Policies []*iam.Policy // its own and, for a user, those of its groups
	Boundary *iam.Policy   // nil: none
}

// User has access keys.
type User struct {
	Identity
	Keys   []*Key
	Groups []string
}

// Role can be assumed temporarily by the principals that its trust policy allows.
type Role struct {
	Identity
	Trust      *iam.Policy
	MaxSession int // seconds
}

// account is one account as described, before names are resolved.
type account struct {
	id       string
	users    map[string]*userSpec
	groups   map[string]*groupSpec
	roles    map[string]*roleSpec
	policies map[string]*iam.Policy
	tables   map[string]*iam.Policy
}

func newAccount(id string) *account {
	return &account{id: id, users: map[string]*userSpec{}, groups: map[string]*groupSpec{}, roles: map[string]*roleSpec{},
		policies: map[string]*iam.Policy{}, tables: map[string]*iam.Policy{}}
}

// Key returns an access key by id.
func (d *Directory) Key(id string) (*Key, bool) {
	k, ok := d.keys[id]
	return k, ok
}

// User returns a user by ARN.
func (d *Directory) User(arn string) (*User, bool) {
	u, ok := d.users[arn]
	return u, ok
}

// Role returns a role by ARN.
func (d *Directory) Role(arn string) (*Role, bool) {
	r, ok := d.roles[arn]
	return r, ok
}

// TablePolicy returns the policy on a table, or nil.
func (d *Directory) TablePolicy(account, table string) *iam.Policy {
	if a, ok := d.accounts[account]; ok {
		return a.tables[table]
	}
	return nil
}

// HasTablePolicies reports whether any table has a policy in the directory.
func (d *Directory) HasTablePolicies() bool {
	for _, a := range d.accounts {
		if len(a.tables) > 0 {
			return true
		}
	}
	return false
}

// ResourcePolicy returns the policy on the table of an ARN, which may be that of an index, or nil.
func (d *Directory) ResourcePolicy(arn string) *iam.Policy {
	rest, ok := strings.CutPrefix(arn, "arn:aws:dynamodb:")
	if !ok {
		return nil
	}
	_, rest, _ = strings.Cut(rest, ":") // the region
	account, rest, _ := strings.Cut(rest, ":")
	table, ok := strings.CutPrefix(rest, "table/")
	table, below, _ := strings.Cut(table, "/")
	if !ok || strings.HasPrefix(below, "stream/") {
		return nil
	}
	return d.TablePolicy(account, table)
}

// UserARN returns the ARN of an account's user.
func UserARN(account, name string) string { return "arn:aws:iam::" + account + ":user/" + name }

// RoleARN returns the ARN of an account's role.
func RoleARN(account, name string) string { return "arn:aws:iam::" + account + ":role/" + name }

// Policies returns the policies that apply to a user or a role session, without the session's own policy and those of
// resources. ok is false if the principal is not in the directory.
func (d *Directory) Policies(principal iam.Principal) (p iam.Policies, ok bool) {
	if principal.Role != "" {
		r, ok := d.roles[principal.Role]
		if !ok {
			return p, false
		}
		return iam.Policies{Identity: r.Policies, Boundary: r.Boundary}, true
	}
	if u, ok := d.users[principal.ARN]; ok {
		return iam.Policies{Identity: u.Policies, Boundary: u.Boundary}, true
	}
	return p, principal.IsRoot()
}

// Users returns all users, in no order.
func (d *Directory) Users() iter.Seq[*User] { return maps.Values(d.users) }

// Roles returns all roles, in no order.
func (d *Directory) Roles() iter.Seq[*Role] { return maps.Values(d.roles) }

// Keys returns all access keys, in no order.
func (d *Directory) Keys() iter.Seq[*Key] { return maps.Values(d.keys) }
