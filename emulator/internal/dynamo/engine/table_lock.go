package engine

// IsRegistered reports whether the account is still registered. A restore of the state replaces all accounts.
func (a *Account) IsRegistered() bool {
	a.Engine.mu.Lock()
	defer a.Engine.mu.Unlock()
	return a.Engine.Accounts[a.Name] == a
}

// LockTables registers the request's account and closes its DDL gate, so that the request alone changes its tables.
// UnlockTables must follow if it returns nil. Errors: the cause of the request's end.
func (r *Request) LockTables() error {
	for {
		r.Account = r.Account.Intern()
		if err := r.Account.DDL.Close(r.BeginWait()); err != nil {
			return err
		}
		// If it was forgotten before the gate closed, another account has its name.
		if r.Account.Intern() == r.Account {
			return nil
		}
		r.Account.DDL.Open()
	}
}

// UnlockTables ends a change of tables. It forgets an account that is empty, so that access keys that create tables and
// delete them leave nothing behind either. a.DDL must be closed.
func (a *Account) UnlockTables() {
	a.ForgetIfEmpty()
	a.DDL.Open()
}

// ForgetIfEmpty forgets an account that is empty. a.DDL must be closed.
func (a *Account) ForgetIfEmpty() {
	if a.Empty() {
		a.Engine.unregister(a)
	}
}

// Empty reports whether the account has no tables and no extension has state for it, such as a backup or a table that
// is being created. a.DDL must be closed.
func (a *Account) Empty() bool {
	for _, r := range a.extensionStates {
		if !r.Empty() {
			return false
		}
	}
	return len(*a.Tables.Load()) == 0
}

// Intern returns the registered account of a's name. If there is none, it registers a, or an account like it if a was
// forgotten: others may still wait for the DDL of a, which another region of the owner may have replaced meanwhile.
func (a *Account) Intern() *Account {
	for fresh := a; ; fresh = newAccount(a.Engine, a.Name) {
		if registered := fresh.intern(); registered != nil {
			return registered
		}
	}
}

// intern is Intern, and returns nil if a was forgotten and nobody has registered another one.
func (a *Account) intern() *Account {
	a.Engine.mu.Lock()
	defer a.Engine.mu.Unlock()
	if known, ok := a.Engine.Accounts[a.Name]; ok {
		return known
	}
	if a.forgotten {
		return nil
	}
	a.Engine.register(a)
	return a
}
