package cli

import (
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// checkRecord rejects a recording of what is not the single run of an emulator of its own.
func (f *loadFlags) checkRecord(profiles []profile.Profile) error {
	if f.record == "" {
		return nil
	}
	spec, err := targets.Parse(f.target.name)
	if len(profiles) == 1 && f.tries == 1 && f.backendURL == "" && err == nil && spec.Kind == targets.Embedded {
		return nil
	}
	return command.Usagef("--record requires one PROFILE on the target embedded, without --tries: " +
		"record other emulators with tabletop emulator --record")
}
