package cli

import (
	"errors"
	"io/fs"
	"os"

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

// createRecording creates the file of a recording.
func createRecording(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, command.Usagef("--record %s: the file already exists: remove it, or use another name", name)
	case err != nil:
		return nil, command.Usagef("--record: %v: use a file in an existing, writable folder", err)
	}
	return file, nil
}
