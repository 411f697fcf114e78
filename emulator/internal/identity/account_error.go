package identity

// AccountError means that the identities belong to another account than the emulator.
type AccountError struct{ Identities, Emulator string }

func (e *AccountError) Error() string {
	return "the identities are of account " + e.Identities + ", but the emulator is of " + e.Emulator +
		`: write account: "` + e.Emulator + `" in the identities, or start with the account id of the identities`
}
