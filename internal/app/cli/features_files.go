package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/features"
)

// offerFeatureFiles makes shells complete feature files and, after the colon, the lines of their scenarios, with their
// names.
func offerFeatureFiles(cmd *cobra.Command) {
	cmd.ValidArgsFunction = func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		const asItIs = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		sources, err := features.Sources()
		if err != nil {
			return nil, asItIs
		}
		file, _, hasLine := strings.Cut(typed, ":")
		if !hasLine {
			return slices.Sorted(maps.Keys(sources)), asItIs | cobra.ShellCompDirectiveNoSpace
		}
		before := typed[:strings.LastIndex(typed, ":")+1]
		var lines []string
		for _, s := range sources[file].Scenarios {
			lines = append(lines, fmt.Sprintf("%s%d\t%s", before, s.Line, s.Name))
		}
		return lines, asItIs
	}
}
