package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
)

// offerValues makes shells complete the flags and arguments that all commands have in common.
func offerValues(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		offerValues(cmd)
	}
	targets := command.Fixed("embedded", "dynamodb-local", "url=http://127.0.0.1:8000", "aws",
		"cosmos=https://127.0.0.1:8081", "azure")
	for flag, values := range map[string]func(context.Context) []string{
		"target": targets, "targets": targets, "systems": command.Fixed(backend.Names()...), "tags": offeredTags,
	} {
		if cmd := root; cmd.Flags().Lookup(flag) != nil {
			command.Offer(cmd, flag, values)
		}
	}
}

// offeredTags returns the tags of the scenarios of all requirements and clauses.
func offeredTags(context.Context) (tags []string) {
	entries, err := features.Entries()
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.ByLoad {
			continue
		}
		tags = append(tags, "@"+e.ID)
		for _, clause := range e.Clauses {
			tags = append(tags, "@"+clause.ID)
		}
	}
	return tags
}

// offeredProfiles returns the ids of the load profiles.
func offeredProfiles(context.Context) (ids []string) {
	profiles, err := loadtest.Profiles()
	if err != nil {
		return nil
	}
	for _, p := range profiles {
		ids = append(ids, p.ID)
	}
	return ids
}
