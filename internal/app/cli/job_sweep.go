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
	cmd.Use, cmd.Short = "expire", "Expire verification cases and delete their documents"
	cmd.Long = `Mark open verification cases as expired 30 days after they were created, and delete the documents and files of all
cases of that age. DynamoDB deletes the cases themselves by TTL.`
	cmd.Example = `  tabletop job expire --uploads ./uploads
  tabletop job expire --target aws --yes-spend --uploads s3://authbridge-documents --json`
	return cmd
}

func newJobAuditRetention() *cobra.Command {
	cmd := sweepCommand((*verification.Service).RetentionJob)
	cmd.Use, cmd.Short = "audit-retention", "Delete verification audit entries older than five years"
	cmd.Long = `Delete entries of the verification audit trail that are older than five years and that DynamoDB has not yet deleted by
TTL. The job requires the retention role; the application's role cannot delete entries.`
	cmd.Example = `  tabletop job audit-retention
  tabletop job audit-retention --target aws --yes-spend --json`
	return cmd
}

// sweepCommand returns the command of a verification job that processes data day by day.
func sweepCommand(job func(*verification.Service) jobs.Job) *cobra.Command {
	var f runFlags
	options := backendFlags{adminToken: randomToken()}
	cmd := &cobra.Command{Args: command.NoArguments, RunE: func(cmd *cobra.Command, _ []string) error {
		keyset, err := options.piiKeyset()
		if err != nil {
			return err
		}
		var configErr error
		err = f.run(cmd, func(p *jobEnv) jobs.Job {
			service, err := backend.NewVerification(backend.Config{
				AWS: p.aws, TablePrefix: p.prefix, AdminToken: options.adminToken, Pepper: options.pepper, PIIKeyset: keyset,
				Uploads: options.uploads,
				Now:     p.now, Logger: command.Logger(cmd),
			})
			if configErr = err; err != nil {
				return jobs.Job{Name: cmd.Name()}
			}
			return job(service)
		})
		if configErr != nil {
			return command.Usagef("cannot start the job: %v", configErr)
		}
		return err
	}}
	f.bind(cmd.Flags())
	flags := cmd.Flags()
	flags.StringVar(&options.pepper, "pepper", defaultPepper, "Pepper of the backend: the same value as its --pepper.")
	flags.StringVar(&options.keyset, "pii-keyset", "", "Keyset file of the backend: the same value as its --pii-keyset.")
	flags.StringVar(&options.uploads, "uploads", "", "Storage for uploaded documents: a folder or s3://BUCKET.")
	return cmd
}
