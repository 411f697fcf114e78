package engine

import (
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// newAccount returns an account without tables. Lookups do not find it until Intern registers it.
func newAccount(e *Engine, name string) *Account {
	a := &Account{Engine: e, Name: name, DDL: e.Store.NewGate().Ranked(store.Definitions)}
	a.Tables.Store(&map[string]*Table{})
	for _, p := range e.Extensions {
		if r := p.NewState(); r != nil {
			a.extensionStates = append(a.extensionStates, r)
		}
	}
	return a
}

// Table returns the table for an item operation. Errors: the table does not exist, or its key is unavailable.
func (a *Account) Table(name string) (*Table, error) {
	if t, ok := (*a.Tables.Load())[name]; ok && t.Def.Filling == nil {
		return t, t.CheckAvailable()
	}
	return nil, wire.TableNotFound()
}

// NamedTable returns the table for a control-plane operation. Error: the table does not exist.
func (a *Account) NamedTable(name string) (*Table, error) {
	if t, ok := (*a.Tables.Load())[name]; ok {
		return t, nil
	}
	return nil, wire.NamedTableNotFound(name)
}

// NewID returns a new id for a table or an index.
func (s *Engine) NewID() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

// CatalogKey returns the store key of a table's definition.
func (a *Account) CatalogKey(table string) []byte {
	key := store.AppendEscaped([]byte{SpaceCatalog}, []byte(a.Name))
	return append(key, table...)
}

// AccountNamed returns the account of that name. An account without tables is not registered, and belongs to this
// request alone, until the request creates a table: access keys that are used once leave nothing behind.
func (s *Engine) AccountNamed(name string) *Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a, ok := s.Accounts[name]; ok {
		return a
	}
	return newAccount(s, name)
}

// EnsureAccount returns the account of that name, creating it if needed, while everything is loaded from the store.
func (s *Engine) EnsureAccount(name string) *Account {
	a, ok := s.Accounts[name]
	if !ok {
		a = newAccount(s, name)
		s.register(a)
	}
	return a
}

// EachAccount calls visit for every account.
func (s *Engine) EachAccount(visit func(a *Account)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.Accounts {
		visit(a)
	}
}

// ReserveID keeps NewID from returning id again. mu must be held, as it is during Load.
func (s *Engine) ReserveID(id uint32) { s.nextID = max(s.nextID, id) }

// AccountError means that stored tables belong to another account than the engine's. Their streams and backups have
// ARNs of that account, with which the engine would not find them.
type AccountError struct {
	ARN     string // of a stored table
	Account string // the engine's
}

func (e *AccountError) Error() string {
	owner := "another account"
	if parts := strings.Split(e.ARN, ":"); len(parts) > 4 {
		owner = "account " + parts[4]
	}
	return fmt.Sprintf("the stored tables belong to %s, not to %s: start with their account's id (--account-id)", owner,
		e.Account)
}

// ARN returns the ARN of a resource of the account.
func (a *Account) ARN(service, resource string) string {
	return a.Engine.AccountID.ARN(service, a.Name, resource)
}

// Region returns the account's region.
func (a *Account) Region() string { return accounts.Region(a.Name) }

// ID returns the account id: the one in the account's name where identities are configured, else the engine's.
func (a *Account) ID() string { return a.Engine.AccountID.Number(a.Name) }

// NextUUID returns a random UUID, version 4.
func (s *Engine) NextUUID() string {
	hi, lo := s.Random.Next(), s.Random.Next()
	return awsapi.UUID(hi, lo)
}
