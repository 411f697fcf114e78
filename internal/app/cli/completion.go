package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// offerValues makes shells complete the flags and arguments that all commands have in common.
func offerValues(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		offerValues(cmd)
	}
	for name, values := range map[string]func(usage string) func(context.Context) []string{
		"target": offeredTargets, "targets": offeredTargets, "systems": always(command.Fixed(backend.Names()...)),
		"tags": always(offeredTags),
	} {
		flag := root.Flags().Lookup(name)
		if _, offered := root.GetFlagCompletionFunc(name); flag != nil && !offered {
			command.Offer(root, name, values(flag.Usage))
		}
	}
}

// always returns values for a flag, whatever its usage text.
func always(values func(context.Context) []string) func(string) func(context.Context) []string {
	return func(string) func(context.Context) []string { return values }
}

// knownTargets returns the targets that shells offer: those with both databases, only DynamoDB, and only Cosmos DB.
func knownTargets() (both, dynamo, cosmos []string) {
	return []string{"embedded"}, []string{"dynamodb-local", "url=http://127.0.0.1:8000",
			"alternator=http://127.0.0.1:8000", "aws"},
		[]string{"cosmos=https://127.0.0.1:8081", "azure"}
}

// offeredTargets returns the targets that the usage text of a flag names: not every command can use every target.
func offeredTargets(usage string) func(context.Context) []string {
	var usable []string
	both, dynamo, cosmos := knownTargets()
	for _, target := range slices.Concat(both, dynamo, cosmos) {
		kind, _, _ := strings.Cut(target, "=")
		if strings.Contains(usage, kind) {
			usable = append(usable, target)
		}
	}
	return command.Fixed(usable...)
}

// offerLoadTargets makes shells complete a flag with the targets that can run the load profiles in the arguments.
func offerLoadTargets(cmd *cobra.Command, flag string) {
	command.Offer(cmd, flag, func(context.Context) []string {
		profiles, err := loadtest.Find(cmd.Flags().Args()...)
		if err != nil {
			return nil
		}
		usable, dynamo, cosmos := knownTargets()
		if slices.ContainsFunc(profiles, func(p profile.Profile) bool { return !p.OnCosmos() }) {
			usable = append(usable, dynamo...)
		}
		if slices.ContainsFunc(profiles, profile.Profile.OnCosmos) {
			usable = append(usable, cosmos...)
		}
		return usable
	})
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
