package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// owner is what the registered accounts of one owner in several regions share.
type owner struct {
	ddl      *store.Gate
	accounts int // that are registered
}

// register makes lookups find an account. It may replace the account's DDL, so nobody else may know the account yet: it
// must not be forgotten. s.mu must be held.
func (s *Engine) register(a *Account) {
	name := accounts.Owner(a.Name)
	o := s.owners[name]
	if o == nil {
		o = &owner{ddl: a.DDL}
		s.owners[name] = o
	}
	a.DDL = o.ddl
	o.accounts++
	s.Accounts[a.Name] = a
}

// unregister makes lookups not find an account any more, except the shared one.
func (s *Engine) unregister(a *Account) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.Name == "" || s.Accounts[a.Name] != a {
		return
	}
	delete(s.Accounts, a.Name)
	a.forgotten = true
	name := accounts.Owner(a.Name)
	if o := s.owners[name]; o.accounts > 1 {
		o.accounts--
	} else {
		delete(s.owners, name)
	}
}

// Sibling returns the account of the same owner in another region, which is registered until ForgetIfEmpty. a.DDL must
// be closed, and is closed for the sibling too.
func (a *Account) Sibling(region string) *Account {
	return a.Engine.AccountNamed(a.Engine.Spaces.Sibling(a.Name, region)).Intern()
}
