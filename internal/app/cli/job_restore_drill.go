package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/drill"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
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
		Short: "Restore a table to a moment into a copy, compare it item for item and delete it",
		Long: `Restore a table as it was at a moment into a copy, compare the copy item for item with the table as it is now, and
delete it. With --into the copy stays: that is how what was deleted by mistake comes back. With --record, what the
table holds now is written to a file; a later drill with --expect has to find exactly that.`,
		Example: `  tabletop job restore-drill --table photoeditor-dev-device-tokens
  tabletop job restore-drill --table photoeditor-dev-device-tokens --record tokens.json
  tabletop job restore-drill --table photoeditor-dev-device-tokens --expect tokens.json
  tabletop job restore-drill --table orders --at 2026-01-31T11:59:59Z --into orders-rescued`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.drill(cmd) },
	}
	flags := cmd.Flags()
	f.jobFlags.bind(flags)
	flags.StringVar(&f.table, "table", "", "name of the table, without the prefix")
	flags.StringVar(&f.at, "at", "", "moment to restore, such as 2026-01-31T11:59:59Z; without it the latest that can be, or that of --expect")
	flags.StringVar(&f.into, "into", "", "name of the copy, without the prefix; it is kept")
	flags.StringVar(&f.record, "record", "", "file to write what the table holds now to; nothing is restored")
	flags.StringVar(&f.expect, "expect", "", "file of --record that the copy has to equal")
	flags.DurationVar(&f.lease, "lease", time.Minute, "after how long the drill of a process that is not heard of is taken over")
	flags.BoolVar(&f.restart, "restart", false, "begin anew, though the latest drill to that moment is unfinished")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only ask whether the table can be restored")
	f.segments, f.workers, f.remember = 1, 1, time.Second // every command runs a new drill
	return cmd
}

func (f *drillFlags) drill(cmd *cobra.Command) error {
	if f.table == "" {
		return command.Usagef("no table: give --table, one of those that tabletop tables describe shows")
	}
	if f.record != "" {
		return f.write(cmd)
	}
	plan := drill.Plan{Table: f.prefix + f.table, At: f.at, Keep: f.into != ""}
	if f.into != "" {
		plan.Copy = f.prefix + f.into
	}
	if err := f.read(&plan); err != nil {
		return err
	}
	if plan.At == "" {
		plan.At = drill.Latest
	}
	if _, err := time.Parse(time.RFC3339, plan.At); err != nil && plan.At != drill.Latest {
		return command.Usagef("--at %q is no time: write it as 2026-01-31T11:59:59Z", plan.At)
	}
	s, err := f.finish(cmd, func(p *jobPlace) jobs.Job {
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
		return fmt.Errorf("the copy is not what was recorded: %d items were restored, and %d recorded in %s", s.Counts[drill.Restored], plan.Expect.Items, f.expect)
	}
	return nil
}

// read reads the --expect file into plan: what the copy has to equal.
func (f *drillFlags) read(plan *drill.Plan) error {
	if f.expect == "" {
		return nil
	}
	text, err := os.ReadFile(f.expect)
	if err != nil {
		return command.Usagef("--expect: %v: name a file that --record wrote", err)
	}
	if err := json.Unmarshal(text, &plan.Expect); err != nil || plan.Expect == nil || plan.Expect.Sum == "" {
		return command.Usagef("--expect %s: this is no file that --record wrote", f.expect)
	}
	if plan.Expect.Table != plan.Table {
		return command.Usagef("--expect %s: it was recorded of %s, not of %s", f.expect, plan.Expect.Table, plan.Table)
	}
	if plan.At == "" {
		plan.At = plan.Expect.At
	}
	return nil
}

// write records the table's current contents.
func (f *drillFlags) write(cmd *cobra.Command) error {
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
	if err := os.WriteFile(f.record, append(text, '\n'), 0o600); err != nil {
		return command.Usagef("--record: %v: name a file in a folder that is there and yours to write", err)
	}
	return f.print(cmd.OutOrStdout(), recorded, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %d items as of %s are recorded in %s\n", recorded.Table, recorded.Items, recorded.At, f.record)
		return err
	})
}
