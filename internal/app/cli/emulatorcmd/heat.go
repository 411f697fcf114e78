package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/internal/util/indented"
)

// tables returns the names of the emulator's tables and containers, for completion.
func (f *AdminFlags) tables(ctx context.Context) (names []string) {
	var tables []heatmap.Table
	if err := f.Call(ctx, http.MethodGet, "/heat", nil, &tables); err != nil {
		return nil
	}
	for _, table := range tables {
		of, _, hasSlash := strings.Cut(table.Resource, "/")
		if !hasSlash || !slices.Contains(names, of) { // otherwise an index of a table before it
			names = append(names, table.Resource)
		}
	}
	return names
}

// NewHeat returns the command that shows the load by partition and minute.
func NewHeat() *cobra.Command {
	var f AdminFlags
	var minutes int
	var again, asJSON bool
	cmd := &cobra.Command{
		Use:   "heat [TABLE]",
		Short: "Show the load on each partition of the emulator's tables",
		Long: `Show the load on the tables of a running emulator and on their global secondary indexes, with one line for each
partition and one block for each minute; darker blocks mean more capacity units. The hottest partition keys are listed
below. ✕ marks a minute with throttled requests, which require an emulator with --like-cloud=throttling.

Cosmos DB containers are named DATABASE/CONTAINER. Their blocks show the share of its throughput that a physical
partition used in its busiest second.`,
		Example: `  tabletop heat
  tabletop heat --watch
  tabletop heat orders --minutes 15
  tabletop heat shop/orders
  tabletop heat orders --endpoint http://127.0.0.1:9000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return command.Usagef("unexpected argument %q: tabletop heat takes at most one table", args[1])
			}
			if minutes < 1 || minutes > 180 {
				return command.Usagef("--minutes %d is out of range: use 1 to 180", minutes)
			}
			path := "/heat"
			if len(args) == 1 {
				path += "?table=" + url.QueryEscape(args[0])
			}
			show := func(ctx context.Context) error {
				var tables []heatmap.Table
				if err := f.Call(ctx, http.MethodGet, path, nil, &tables); err != nil {
					return err
				}
				if len(tables) == 0 && len(args) == 1 {
					return command.Usagef("table %q does not exist: list all tables with tabletop heat", args[0])
				}
				if asJSON {
					return indented.WriteJSON(cmd.OutOrStdout(), tables)
				}
				return writeHeat(cmd.OutOrStdout(), tables, minutes)
			}
			if again {
				return watch(cmd, watchInterval, show)
			}
			return show(cmd.Context())
		},
	}
	f.bind(cmd.Flags())
	command.OfferArguments(cmd, f.tables)
	cmd.Flags().IntVar(&minutes, "minutes", 60, "Number of minutes to show, 1 to 180.")
	cmd.Flags().BoolVar(&again, "watch", false, "Show the heat again every two seconds, until Ctrl-C.")
	command.BindOutput(cmd.Flags(), &asJSON)
	return cmd
}

func writeHeat(w io.Writer, tables []heatmap.Table, minutes int) error {
	if len(tables) == 0 {
		_, err := fmt.Fprintln(w, "No tables or containers: create one and send it requests.")
		return err
	}
	for i := range tables {
		if i > 0 {
			_, _ = fmt.Fprintln(w)
		}
		if err := tables[i].Write(w, minutes); err != nil {
			return err
		}
	}
	return nil
}
