package emulatorcmd

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
)

// NewHeat returns the command that shows the load by partition and minute.
func NewHeat() *cobra.Command {
	var f AdminFlags
	var minutes int
	cmd := &cobra.Command{
		Use:   "heat [TABLE]",
		Short: "Show where the load on an emulator's tables falls",
		Long: `Show the load on the tables of an emulator that runs, and on their global secondary indexes: a line for each
partition, a block for each minute, the darker the more units, and the hottest partition keys below. ✕ is a minute in
which requests were throttled, which takes an emulator with --like-cloud=throttling.

Containers of Cosmos DB are called database/container; their blocks are the part of its throughput that a physical partition
used in its hottest second.`,
		Example: `  tabletop heat
  tabletop heat orders --minutes 15
  tabletop heat shop/orders
  tabletop heat orders --endpoint http://127.0.0.1:9000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("unexpected argument %q: tabletop heat takes one table, or none for all", args[1])
			}
			if minutes < 1 || minutes > 180 {
				return command.Usagef("--minutes %d: give 1 to 180", minutes)
			}
			path := "/heat"
			if len(args) == 1 {
				path += "?table=" + url.QueryEscape(args[0])
			}
			var tables []heatmap.Table
			if err := f.Call(cmd.Context(), http.MethodGet, path, nil, &tables); err != nil {
				return err
			}
			if len(tables) == 0 && len(args) == 1 {
				return command.Usagef("no table %q: see tabletop heat for all", args[0])
			}
			for i := range tables {
				if i > 0 {
					_, _ = fmt.Fprintln(cmd.OutOrStdout())
				}
				if err := tables[i].Write(cmd.OutOrStdout(), minutes); err != nil {
					return err
				}
			}
			return nil
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().IntVar(&minutes, "minutes", 60, "how many minutes to show, 180 at most")
	return cmd
}
