package control

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UnsupportedInput is a structure of a feature that the emulator does not have, of which it reads nothing.
type UnsupportedInput struct{}

// checkUnsupported returns an error for a request that uses what global tables have here no equivalent of: a client
// gets an error rather than a table that lacks what it asked for.
func (in *CreateTableInput) checkUnsupported() error {
	return UnsupportedMembers(Member{"GlobalTableSourceArn", in.GlobalTableSourceArn != nil},
		Member{"GlobalTableSettingsReplicationMode", in.GlobalTableSettingsReplicationMode != nil})
}

func (in *UpdateTableInput) checkUnsupported() error {
	// The text is the service's (ack-api-quirks DDB-TABLE-442, 2026-10-09).
	if wire.OrZero(in.GlobalTableSettingsReplicationMode) == "ENABLED_WITH_OVERRIDES" {
		return wire.ValidationError("Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to " +
			"satisfy constraint: Only ENABLED and DISABLED settings replication are supported for a Regional Table.")
	}
	return UnsupportedMembers(
		Member{"GlobalTableSettingsReplicationMode", in.GlobalTableSettingsReplicationMode != nil},
		Member{"DisassociationProtectionEnabled", in.DisassociationProtectionEnabled != nil})
}

// Member is a member of a request.
type Member struct {
	Name string
	Set  bool // the request has it
}

// UnsupportedMembers returns an error for the first member that a request has of those that the emulator does not
// support. The text is ours.
func UnsupportedMembers(all ...Member) error {
	if i := slices.IndexFunc(all, func(m Member) bool { return m.Set }); i >= 0 {
		return wire.ParameterError(all[i].Name + " is not supported by this emulator")
	}
	return nil
}

// checkTableClass returns an error for a table class that does not exist.
func checkTableClass(class *string) error {
	if class == nil || *class == "STANDARD" || *class == "STANDARD_INFREQUENT_ACCESS" {
		return nil
	}
	return wire.ValidationError("Invalid table-class parameter provided. Please try again with a valid table-class value: " +
		"[STANDARD, STANDARD_INFREQUENT_ACCESS].")
}
