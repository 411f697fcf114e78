package engine

// IsCurrent says whether the account was not replaced by another one of its name, as all are when the state is
// restored.
func (a *Account) IsCurrent() bool {
	a.Engine.mu.Lock()
	defer a.Engine.mu.Unlock()
	return a.Engine.Accounts[a.Name] == a
}

// LockTables keeps the account of a request, and lets the request alone change its tables; defined must follow where it
// returns nil. Errors: the cause of the request's end.
func (a *Request) LockTables() error {
	for {
		a.Account = a.Account.Intern()
		if err := a.Account.DDL.Close(a.Waiting()); err != nil {
			return err
		}
		if a.Account.Intern() == a.Account { // else it was forgotten meanwhile, and another one has its name
			return nil
		}
		a.Account.DDL.Open()
	}
}

// UnlockTables ends a change of tables. An account that has nothing any more is forgotten, so that access keys that
// make tables and delete them leave nothing behind either. a.DDL must be closed.
func (a *Account) UnlockTables() {
	if a.Empty() {
		a.Engine.mu.Lock()
		if a.Name != "" && a.Engine.Accounts[a.Name] == a {
			delete(a.Engine.Accounts, a.Name)
		}
		a.Engine.mu.Unlock()
	}
	a.DDL.Open()
}

// Empty reports whether the account has no tables, nor what is left of tables, nor any on their way. a.DDL must be
// closed.
func (a *Account) Empty() bool {
	for _, r := range a.residents {
		if !r.Empty() {
			return false
		}
	}
	return len(*a.Tables.Load()) == 0
}

// Intern is the account of a's name that all requests share from now on: a itself, if it is the first to be kept.
func (a *Account) Intern() *Account {
	a.Engine.mu.Lock()
	defer a.Engine.mu.Unlock()
	if known, ok := a.Engine.Accounts[a.Name]; ok {
		return known
	}
	a.Engine.Accounts[a.Name] = a
	return a
}
