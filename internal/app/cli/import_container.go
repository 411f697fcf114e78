package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/transfer"
)

// openContainer opens or creates the container, and opens the file.
func (i *importRun) openContainer(cmd *cobra.Command) error {
	f := i.flags
	for _, path := range f.key {
		if !strings.HasPrefix(path, "/") || len(path) == 1 {
			return command.Usagef("--key %q is invalid: use a path such as /customer", path)
		}
	}
	account, database, name, err := f.data.openAccount(cmd)
	if err != nil {
		return err
	}
	i.tables, i.created, i.options.Documents = []string{f.data.container}, []string{}, true
	container, err := transfer.OpenContainer(cmd.Context(), account, database, name)
	if errors.Is(err, transfer.ErrNoContainer) {
		if !f.create {
			return command.Usagef("container %q does not exist: create it with --create --key /PATH, or correct --container",
				f.data.container)
		}
		if err := transfer.CreateContainer(cmd.Context(), account, database, name, f.key); err != nil {
			return fmt.Errorf("container %q was not created: %w", f.data.container, err)
		}
		i.created = append(i.created, f.data.container)
		container, err = transfer.OpenContainer(cmd.Context(), account, database, name)
	}
	if err != nil {
		return err
	}
	i.target = container
	if i.source, err = openSource(cmd.Context(), i.name, cmd.InOrStdin(), i.options); err != nil {
		return i.unreadable(cmd.Context(), err)
	}
	if len(i.source.Schemas) > 0 {
		return errors.Join(command.Usagef("%s describes tables of DynamoDB: omit --container", i.name), i.source.Close())
	}
	return nil
}
