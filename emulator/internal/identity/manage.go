package identity

import (
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/internal/identities"
)

// Put describes a user, group, role, policy or a table's policy, in the form of a file, in place of the former one.
// kind is users, groups, roles, policies or tables. The first one turns the checks of all services on.
func (s *Service) Put(account, kind, name string, document []byte) error {
	if kind == identities.KindKeys || len(document) == 0 {
		return &identities.Error{File: kind + "/" + name, Problem: "has to be described: users, groups, roles, policies or tables, in YAML or JSON"}
	}
	return s.change(identities.Change{Account: account, Kind: kind, Name: name, Document: document})
}

// Delete removes what Put described, and a user's keys; what the file describes stays as it is there.
func (s *Service) Delete(account, kind, name string) error {
	changes, err := s.changes()
	if err != nil {
		return err
	}
	gone := []identities.Change{{Account: account, Kind: kind, Name: name}}
	found := false
	for _, c := range changes {
		found = found || c.Account == account && c.Kind == kind && c.Name == name
		if kind == "users" && c.Account == account && c.Kind == identities.KindKeys && string(c.Document) == name {
			gone = append(gone, identities.Change{Account: account, Kind: c.Kind, Name: c.Name})
		}
	}
	if !found {
		return &NotFoundError{Kind: kind, Name: name}
	}
	return s.change(gone...)
}

// NotFoundError is about something that was not described by Put.
type NotFoundError struct{ Kind, Name string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %q among %s that were added here: what the identities file describes is changed there", e.Name, e.Kind)
}

// NewKey makes an access key of a user. This is the only time that its secret is told.
func (s *Service) NewKey(account, user string) (id, secret string, err error) {
	id = newKeyID("AKIA")
	err = s.change(identities.Change{Account: account, Kind: identities.KindKeys, Name: id, Document: []byte(user)})
	if err != nil {
		return "", "", err
	}
	st := s.now.Load()
	return id, st.vault.secretOf(id), nil
}

// DeleteKey takes an access key away that NewKey made.
func (s *Service) DeleteKey(account, id string) error {
	return s.Delete(account, identities.KindKeys, id)
}

// Listed is a user, group, role or policy, without secrets.
type Listed struct {
	Account  string   `json:"account"`
	Kind     string   `json:"kind" doc:"users or roles"`
	Name     string   `json:"name"`
	ARN      string   `json:"arn"`
	Keys     []string `json:"keys,omitempty" doc:"the ids of access keys; their secrets are not told again"`
	Groups   []string `json:"groups,omitempty"`
	Policies []string `json:"policies,omitempty" doc:"those of the groups too"`
}

// List lists the users and roles, in the order of their ARNs.
func (s *Service) List() []Listed {
	st := s.now.Load()
	if st == nil {
		return nil
	}
	var all []Listed
	for u := range st.directory.Users() {
		l := listed("users", &u.Identity)
		l.Groups = u.Groups
		for _, key := range u.Keys {
			l.Keys = append(l.Keys, key.ID)
		}
		all = append(all, l)
	}
	for r := range st.directory.Roles() {
		all = append(all, listed("roles", &r.Identity))
	}
	slices.SortFunc(all, func(a, b Listed) int { return slices.Compare([]string{a.ARN}, []string{b.ARN}) })
	return all
}

func listed(kind string, i *identities.Identity) Listed {
	l := Listed{Account: i.Account, Kind: kind, Name: i.Name, ARN: i.ARN}
	for _, p := range i.Policies {
		l.Policies = append(l.Policies, p.Name)
	}
	return l
}

// Key is a user's first access key with its secret: for a configuration of an SDK in the same process. ok is false for
// a user who is not there or has none.
func (s *Service) Key(account, user string) (id, secret string, ok bool) {
	st := s.now.Load()
	if st == nil {
		return "", "", false
	}
	u, known := st.directory.User(identities.UserARN(account, user))
	if !known || len(u.Keys) == 0 {
		return "", "", false
	}
	c := st.keys[u.Keys[0].ID]
	return c.id, c.secret, true
}

// Account is the one that a name without an account is of.
func (s *Service) Account() string {
	if st := s.now.Load(); st != nil {
		return st.directory.Account
	}
	return DefaultAccount
}

// Region is the only one that signatures may be for; empty for any.
func (s *Service) Region() string {
	if st := s.now.Load(); st != nil {
		return st.directory.Region
	}
	return ""
}
