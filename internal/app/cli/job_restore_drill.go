package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/drill"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// drillFlags holds the flags for what to restore.
type drillFlags struct {
	runFlags
	table, at, into, record, expect string
}

func newJobRestoreDrill() *cobra.Command {
	var f drillFlags
	cmd := &cobra.Command{
		Use:   "restore-drill",
		Short: "Test point-in-time recovery: restore a table to a copy and compare it",
		Long: `Restore a table to a point in time as a copy, compare the copy with the current table item by item, and delete the
copy. With --into, keep the copy, for example to recover items that were deleted by mistake.

With --record, write a checksum of the table's current items to a file instead. A later drill with --expect verifies
that the restored copy contains exactly these items.`,
		Example: `  tabletop job restore-drill --table photoeditor-dev-device-tokens
  tabletop job restore-drill --table photoeditor-dev-device-tokens --record tokens.json
  tabletop job restore-drill --table photoeditor-dev-device-tokens --expect tokens.json
  tabletop job restore-drill --table orders --at 2026-01-31T11:59:59Z --into orders-rescued`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.drill(cmd) },
	}
	flags := cmd.Flags()
	f.jobFlags.bind(flags)
	flags.StringVar(&f.table, "table", "", "Name of the table, without the prefix. Required.")
	flags.StringVar(&f.at, "at", "", "Point in time to restore to, such as 2026-01-31T11:59:59Z. "+
		"Default: the time in the file of --expect, or the latest restorable time.")
	flags.StringVar(&f.into, "into", "", "Name of the copy, without the prefix. The copy is then kept.")
	flags.StringVar(&f.record, "record", "", "File to write the checksum of the current items to. Nothing is restored.")
	flags.StringVar(&f.expect, "expect", "", "File written by --record that the copy must match.")
	flags.DurationVar(&f.lease, "lease", time.Minute,
		"Lease duration of the drill. A drill whose process stops responding is taken over after this time.")
	flags.BoolVar(&f.restart, "restart", false,
		"Start a new drill even if the latest drill to that point in time is unfinished.")
	flags.BoolVar(&f.dryRun, "dry-run", false, "Only check whether the table can be restored.")
	command.Offer(cmd, "table", func(ctx context.Context) []string { return f.target.tables(ctx, cmd, f.prefix) })
	f.segments, f.workers, f.remember = 1, 1, time.Second // every command runs a new drill
	return cmd
}

func (f *drillFlags) drill(cmd *cobra.Command) error {
	if f.table == "" {
		return command.Usagef("no table: set --table; tabletop tables describe lists the tables")
	}
	if f.record != "" {
		return f.writeRecord(cmd)
	}
	plan := drill.Plan{Table: f.prefix + f.table, At: f.at, Keep: f.into != ""}
	if f.into != "" {
		plan.Copy = f.prefix + f.into
	}
	if err := f.readExpected(&plan); err != nil {
		return err
	}
	if plan.At == "" {
		plan.At = drill.Latest
	}
	if _, err := time.Parse(time.RFC3339, plan.At); err != nil && plan.At != drill.Latest {
		return command.Usagef("--at %q is not a time: use the format 2026-01-31T11:59:59Z", plan.At)
	}
	s, err := f.runJob(cmd, func(p *jobEnv) jobs.Job {
		plan.Now = p.now()
		return drill.Job(p.client(), plan)
	})
	if err != nil {
		return err
	}
	if err := f.print(cmd.OutOrStdout(), s, func(w io.Writer) error { return writeSummary(w, s) }); err != nil {
		return err
	}
	if s.Counts[drill.Differs] > 0 {
		return fmt.Errorf("the copy differs from the record: %d items were restored, %s has %d",
			s.Counts[drill.Restored], f.expect, plan.Expect.Items)
	}
	return nil
}

// readExpected reads the --expect file into plan: what the copy has to equal.
func (f *drillFlags) readExpected(plan *drill.Plan) error {
	if f.expect == "" {
		return nil
	}
	text, err := os.ReadFile(f.expect)
	if err != nil {
		return command.Usagef("--expect: %v: use a file written by --record", err)
	}
	if err := json.Unmarshal(text, &plan.Expect); err != nil || plan.Expect == nil || plan.Expect.Sum == "" {
		return command.Usagef("--expect %s: the file was not written by --record", f.expect)
	}
	if plan.Expect.Table != plan.Table {
		return command.Usagef("--expect %s: the file is a record of table %s, not of %s", f.expect,
			plan.Expect.Table, plan.Table)
	}
	if plan.At == "" {
		plan.At = plan.Expect.At
	}
	return nil
}

// writeRecord records the table's current contents.
func (f *drillFlags) writeRecord(cmd *cobra.Command) error {
	p, err := f.open(cmd)
	if err != nil {
		return err
	}
	recorded, err := drill.Record(cmd.Context(), p.client(), f.prefix+f.table, p.now)
	if err != nil {
		return fmt.Errorf("table %s: %w", f.prefix+f.table, err)
	}
	text, err := json.MarshalIndent(recorded, "", "  ")
	if err != nil {
		return err
	}
	if err := wholefile.WriteFile(f.record, append(text, '\n'), 0o600); err != nil {
		return command.Usagef("--record: %v: use a file in an existing, writable folder", err)
	}
	return f.print(cmd.OutOrStdout(), recorded, func(w io.Writer) error {
		_, err := thousands.Fprintf(w, "%s: recorded %d items as of %s in %s\n", recorded.Table, recorded.Items,
			recorded.At, f.record)
		return err
	})
}
