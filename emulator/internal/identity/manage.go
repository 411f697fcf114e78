package identity

import (
	"fmt"
	"slices"

	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// Put creates or replaces a user, group, role, policy or table policy, in the form of the identities file. kind is
// users, groups, roles, policies or tables. The first one turns on the checks of all services.
func (s *Service) Put(account, kind, name string, document []byte) error {
	if kind == identities.KindKeys || len(document) == 0 {
		return &identities.Error{File: kind + "/" + name,
			Problem: "has to be described: users, groups, roles, policies or tables, in YAML or JSON"}
	}
	return s.change(identities.Change{Account: account, Kind: kind, Name: name, Document: document})
}

// Delete deletes what Put created, and a user's access keys. Identities of the file remain as they are there.
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

// NotFoundError reports an identity that Put has not created.
type NotFoundError struct{ Kind, Name string }

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("there is no %q among the %s that were added: to change those of the identities file, edit the file",
		e.Name, e.Kind)
}

// NewKey creates an access key of a user. The secret cannot be retrieved later.
func (s *Service) NewKey(account, user string) (id, secret string, err error) {
	id = newKeyID("AKIA")
	err = s.change(identities.Change{Account: account, Kind: identities.KindKeys, Name: id, Document: []byte(user)})
	if err != nil {
		return "", "", err
	}
	st := s.current.Load()
	return id, st.issuer.secretOf(id), nil
}

// DeleteKey deletes an access key that NewKey created.
func (s *Service) DeleteKey(account, id string) error {
	return s.Delete(account, identities.KindKeys, id)
}

// Entity is a user, group, role or policy, without secrets.
type Entity struct {
	Account  string   `json:"account"`
	Kind     string   `json:"kind" doc:"users or roles"`
	Name     string   `json:"name"`
	ARN      string   `json:"arn"`
	Keys     []string `json:"keys,omitempty" doc:"Access key IDs, without their secrets"`
	Groups   []string `json:"groups,omitempty"`
	Policies []string `json:"policies,omitempty" doc:"Including the policies of its groups"`
}

// List lists the users and roles, in the order of their ARNs.
func (s *Service) List() []Entity {
	st := s.current.Load()
	if st == nil {
		return nil
	}
	var all []Entity
	for u := range st.directory.Users() {
		l := entityOf("users", &u.Identity)
		l.Groups = u.Groups
		for _, key := range u.Keys {
			l.Keys = append(l.Keys, key.ID)
		}
		all = append(all, l)
	}
	for r := range st.directory.Roles() {
		all = append(all, entityOf("roles", &r.Identity))
	}
	slices.SortFunc(all, func(a, b Entity) int { return slices.Compare([]string{a.ARN}, []string{b.ARN}) })
	return all
}

func entityOf(kind string, i *identities.Identity) Entity {
	l := Entity{Account: i.Account, Kind: kind, Name: i.Name, ARN: i.ARN}
	for _, p := range i.Policies {
		l.Policies = append(l.Policies, p.Name)
	}
	return l
}

// Key returns a user's first access key and its secret, for an SDK configuration in the same process. ok is false if
// the user does not exist or has no key.
func (s *Service) Key(account, user string) (id, secret string, ok bool) {
	st := s.current.Load()
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

// Account returns the default account: that of names without an account.
func (s *Service) Account() string {
	if st := s.current.Load(); st != nil {
		return st.directory.Account
	}
	return s.account
}

// Region returns the only region that signatures may be for, or an empty string for any.
func (s *Service) Region() string {
	if st := s.current.Load(); st != nil {
		return st.directory.Region
	}
	return ""
}
