package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newJobExpire() *cobra.Command {
	cmd := sweepCommand((*verification.Service).ExpiryJob)
	cmd.Use, cmd.Short = "expire", "Expire verification cases past their time, and remove their documents"
	cmd.Long = `Write down which open verification cases are past their 30 days, and remove the documents, with their files, of every
case that is. DynamoDB removes the cases themselves by their time to live.`
	cmd.Example = `  tabletop job expire --uploads ./uploads
  tabletop job expire --target aws --yes-spend --uploads s3://authbridge-documents --json`
	return cmd
}

func newJobAuditRetention() *cobra.Command {
	cmd := sweepCommand((*verification.Service).RetentionJob)
	cmd.Use, cmd.Short = "audit-retention", "Remove audit entries of verification that are past their five years"
	cmd.Long = `Remove the entries of verification's audit trail that are past their five years and that DynamoDB's time to live has
left. It needs the retention role: the application's may not delete entries.`
	cmd.Example = `  tabletop job audit-retention
  tabletop job audit-retention --target aws --yes-spend --json`
	return cmd
}

// sweepCommand returns the command of a verification job that processes data day by day.
func sweepCommand(job func(*verification.Service) jobs.Job) *cobra.Command {
	var f runFlags
	its := backendFlags{adminToken: randomToken()}
	cmd := &cobra.Command{Args: command.NoArguments, RunE: func(cmd *cobra.Command, _ []string) error {
		keyset, err := its.piiKeyset()
		if err != nil {
			return err
		}
		var unusable error
		err = f.run(cmd, func(p *jobPlace) jobs.Job {
			service, err := backend.NewVerification(backend.Config{
				AWS: p.aws, TablePrefix: p.prefix, AdminToken: its.adminToken, Pepper: its.pepper, PIIKeyset: keyset, Uploads: its.uploads,
				Now: p.now, Logger: command.Logger(cmd),
			})
			if unusable = err; err != nil {
				return jobs.Job{Name: cmd.Name()}
			}
			return job(service)
		})
		if unusable != nil {
			return command.Usagef("the job cannot begin: %v", unusable)
		}
		return err
	}}
	f.bind(cmd.Flags())
	flags := cmd.Flags()
	flags.StringVar(&its.pepper, "pepper", deskPepper, "the backend's, as it was given it")
	flags.StringVar(&its.keyset, "pii-keyset", "", "the backend's, where it was given one")
	flags.StringVar(&its.uploads, "uploads", "", "where the files of documents are: a folder or s3://BUCKET")
	return cmd
}
