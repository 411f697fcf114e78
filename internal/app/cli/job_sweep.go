package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/verification"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newJobExpire() *cobra.Command {
	cmd := sweepCommand((*verification.Service).ExpiryJob, checkJobUploads)
	cmd.Use, cmd.Short = "expire", "Expire verification cases and delete their documents"
	cmd.Long = `Mark open verification cases as expired 30 days after they were created, and delete the documents and files of all
cases of that age. DynamoDB deletes the cases themselves by TTL. A backend that keeps files in memory must run the job
itself, with --work.`
	cmd.Example = `  tabletop job expire --uploads ./uploads
  tabletop job expire --target aws --yes-spend --uploads s3://authbridge-documents --json`
	return cmd
}

func newJobAuditRetention() *cobra.Command {
	cmd := sweepCommand((*verification.Service).RetentionJob, func(string) error { return nil })
	cmd.Use, cmd.Short = "audit-retention", "Delete verification audit entries older than five years"
	cmd.Long = `Delete entries of the verification audit trail that are older than five years and that DynamoDB has not yet deleted by
TTL. The job requires the retention role; the application's role cannot delete entries.`
	cmd.Example = `  tabletop job audit-retention
  tabletop job audit-retention --target aws --yes-spend --json`
	return cmd
}

// checkJobUploads refuses storage that cannot be the backend's: the memory of this process, or a folder that does not
// exist. The job would find no files there, and would remove the documents that say where they are.
func checkJobUploads(uploads string) error {
	if uploads == "" {
		return command.Usagef("no storage for uploaded documents: set --uploads to the folder or s3://BUCKET of the backend")
	}
	if strings.HasPrefix(uploads, "s3://") {
		return nil
	}
	if _, err := os.Stat(uploads); err != nil {
		return command.Usagef("--uploads: %v: use the folder or s3://BUCKET of the backend", err)
	}
	return nil
}

// sweepCommand returns the command of a verification job that processes data day by day; check checks its --uploads.
func sweepCommand(job func(*verification.Service) jobs.Job, check func(uploads string) error) *cobra.Command {
	var f runFlags
	options := backendFlags{adminToken: randomToken()}
	cmd := &cobra.Command{Args: command.NoArguments, RunE: func(cmd *cobra.Command, _ []string) error {
		if err := check(options.uploads); err != nil {
			return err
		}
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
	flags.StringVar(&options.uploads, "uploads", "", "Storage for uploaded documents of the backend: a folder or s3://BUCKET.")
	return cmd
}
