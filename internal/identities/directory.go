package identities

import (
	"iter"
	"maps"
	"strings"

	"github.com/tabletop-db/tabletop/internal/iam"
)

// DefaultAccount is the account of a file that names none: that of an emulator without identities.
const DefaultAccount = "000000000000"

// Directory is all that is known of identities. It does not change.
type Directory struct {
	// Region is the only one that signatures may be for; empty for any.
	Region string
	// Account is the one that a name without an account is of.
	Account  string
	accounts map[string]*account
	keys     map[string]*Key
	users    map[string]*User // by ARN
	roles    map[string]*Role // by ARN
}

// Key is an access key.
type Key struct {
	ID     string
	Secret string // empty: it is derived, by whoever made the key
	User   *User
}

// Identity is what users and roles have in common.
type Identity struct {
	Account  string
	Name     string
	ARN      string
	ID       string // unique, as in aws:userid
	Tags     map[string]string
	Policies []*iam.Policy // its own and, of a user, those of the groups
	Boundary *iam.Policy   // nil: none
}

// User has access keys.
type User struct {
	Identity
	Keys   []*Key
	Groups []string
}

// Role is assumed for a while by whom its trust policy allows.
type Role struct {
	Identity
	Trust      *iam.Policy
	MaxSession int // seconds
}

// account is what one account has, as described and before anything is looked up.
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

// Key finds an access key.
func (d *Directory) Key(id string) (*Key, bool) {
	k, ok := d.keys[id]
	return k, ok
}

// User finds a user by ARN.
func (d *Directory) User(arn string) (*User, bool) {
	u, ok := d.users[arn]
	return u, ok
}

// Role finds a role by ARN.
func (d *Directory) Role(arn string) (*Role, bool) {
	r, ok := d.roles[arn]
	return r, ok
}

// TablePolicy is the policy on a table, nil for none.
func (d *Directory) TablePolicy(account, table string) *iam.Policy {
	if a, ok := d.accounts[account]; ok {
		return a.tables[table]
	}
	return nil
}

// HasTablePolicies says whether any table has a policy here.
func (d *Directory) HasTablePolicies() bool {
	for _, a := range d.accounts {
		if len(a.tables) > 0 {
			return true
		}
	}
	return false
}

// ResourcePolicy is the policy on the table of an ARN, or of an index of it; nil for none.
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

// UserARN is the ARN of an account's user.
func UserARN(account, name string) string { return "arn:aws:iam::" + account + ":user/" + name }

// RoleARN is the ARN of an account's role.
func RoleARN(account, name string) string { return "arn:aws:iam::" + account + ":role/" + name }

// Policies are those that have a say about what a user, or the session of a role, asks for, without a session's own
// policy and those of resources. ok is false for one who is not in the directory.
func (d *Directory) Policies(who iam.Principal) (p iam.Policies, ok bool) {
	if who.Role != "" {
		r, ok := d.roles[who.Role]
		if !ok {
			return p, false
		}
		return iam.Policies{Identity: r.Policies, Boundary: r.Boundary}, true
	}
	if u, ok := d.users[who.ARN]; ok {
		return iam.Policies{Identity: u.Policies, Boundary: u.Boundary}, true
	}
	return p, who.IsRoot()
}

// Users are all users, in no order.
func (d *Directory) Users() iter.Seq[*User] { return maps.Values(d.users) }

// Roles are all roles, in no order.
func (d *Directory) Roles() iter.Seq[*Role] { return maps.Values(d.roles) }

// Keys are all access keys, in no order.
func (d *Directory) Keys() iter.Seq[*Key] { return maps.Values(d.keys) }
