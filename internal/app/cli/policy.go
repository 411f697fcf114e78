package cli

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/policycheck"
	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

func newPolicy() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Explain or suggest IAM policies from a recording",
		Long: `Evaluate IAM policies for the requests of a recording, which tabletop emulator --record writes: explain which statement
allows or denies each request, or suggest the least-privilege policy that allows all of them.`,
		Example: `  tabletop policy explain --identities identities.yaml --recording requests.jsonl
  tabletop policy suggest --recording requests.jsonl`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(newPolicyExplain(), newPolicySuggest())
	return cmd
}

// recordingFlag is the flag that names a recording.
type recordingFlag struct{ file string }

func (f *recordingFlag) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "recording", "", "Recording file, written by tabletop emulator --record. Required.")
}

// openRecording opens a recording, which may be a pipe: the end of ctx ends a read that waits for data.
func openRecording(ctx context.Context, name string) (*os.File, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, command.Usagef("%v: use a file written by tabletop emulator --record", err)
	}
	context.AfterFunc(ctx, func() { _ = file.Close() })
	return file, nil
}

// read opens the recording and passes it to use.
func (f *recordingFlag) read(ctx context.Context, use func(*recording.Reader) error) (err error) {
	if f.file == "" {
		return command.Usagef("no recording: set --recording to a file written by tabletop emulator --record")
	}
	file, err := openRecording(ctx, f.file)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := recording.NewReader(file)
	if err == nil {
		err = use(in)
	}
	if err != nil && ctx.Err() != nil {
		return command.Stoppedf(ctx, " while reading %s", f.file)
	}
	var wrong *recording.Error
	if errors.As(err, &wrong) {
		return command.Usagef("%s: %v", f.file, wrong)
	}
	return err
}

// policyExplainFlags holds the flags for which policies apply to the explained requests.
type policyExplainFlags struct {
	recording                     recordingFlag
	identities, policy, principal string
	context                       []string
	request                       int64
	json                          bool
}

func newPolicyExplain() *cobra.Command {
	var f policyExplainFlags
	cmd := &cobra.Command{
		Use:   "explain",
		Short: "Show which statement allows or denies each recorded request",
		Long: `Show for each request of a recording which statement allows or denies it, or which type of policy would have to allow
it. For denied requests, also show why each statement does not apply, condition by condition; with --request, show this
for one request, allowed or denied.

The policies can differ from those of the recorded run, so that you can test policies before you use them. The exit
status is 1 if any request is denied.`,
		Example: `  tabletop policy explain --identities identities.yaml --recording run.jsonl
  tabletop policy explain --identities identities.yaml --recording run.jsonl --request 12
  tabletop policy explain --identities identities.yaml --recording run.jsonl --context aws:SecureTransport=true
  tabletop policy explain --policy reader.json --recording run.jsonl --principal arn:aws:iam::123456789012:user/ana --output json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	f.recording.bind(flags)
	flags.StringVar(&f.identities, "identities", "", "YAML file of identities whose policies to evaluate.")
	flags.StringVar(&f.policy, "policy", "", "JSON file of a policy to evaluate instead of those of --identities.")
	flags.StringVar(&f.principal, "principal", "",
		"ARN of the principal of all requests. Default: the recorded principals.")
	flags.StringSliceVar(&f.context, "context", nil, "Values of condition keys that a recording does not have, or to use "+
		"instead of its own, such as aws:SecureTransport=true,aws:SourceIp=10.0.0.7.")
	flags.Int64Var(&f.request, "request", 0,
		"Number of the request to explain in detail. Default: all requests, in brief.")
	command.BindOutput(flags, &f.json)
	return cmd
}

func (f *policyExplainFlags) run(cmd *cobra.Command) error {
	source, err := f.source()
	if err != nil {
		return err
	}
	report := explainReport{Accesses: []explainedAccess{}, out: cmd.OutOrStdout(), json: f.json, full: f.request != 0}
	err = f.recording.read(cmd.Context(), func(in *recording.Reader) error {
		return policycheck.Each(in, func(e *recording.Entry) error {
			if f.request != 0 && e.N != f.request || len(e.Authorization) == 0 {
				return nil
			}
			verdicts, err := source.Check(e)
			if err != nil {
				return command.Usagef("%v", err)
			}
			return report.add(e, verdicts)
		})
	})
	switch {
	case err != nil:
		return err
	case report.Requests == 0 && f.request != 0:
		return command.Usagef("the recording has no request %d that policies apply to", f.request)
	}
	return report.end()
}

func (f *policyExplainFlags) source() (*policycheck.Source, error) {
	s := &policycheck.Source{Principal: f.principal, Context: map[string][]string{}}
	for _, each := range f.context {
		key, value, ok := strings.Cut(each, "=")
		if !ok || !strings.Contains(key, ":") {
			return nil, command.Usagef("--context %q has no condition key and value: write KEY=VALUE, such as "+
				"aws:SecureTransport=true", each)
		}
		s.Context[key] = append(s.Context[key], value)
	}
	var err error
	switch {
	case (f.identities == "") == (f.policy == ""):
		return nil, command.Usagef("set either --identities FILE or --policy FILE")
	case f.identities != "":
		if s.Directory, err = identities.Load(f.identities); err != nil {
			return nil, command.Usagef("%v", err)
		}
		return s, nil
	}
	text, err := os.ReadFile(f.policy)
	if err != nil {
		return nil, command.Usagef("%v: use a JSON file of a policy", err)
	}
	if s.Policy, err = iam.Parse(iam.Identity, f.policy, text); err != nil {
		return nil, command.Usagef("%s: %v", f.policy, err)
	}
	return s, nil
}

func newPolicySuggest() *cobra.Command {
	var f recordingFlag
	var options iam.SuggestOptions
	cmd := &cobra.Command{
		Use:   "suggest",
		Short: "Print the least-privilege policy for the requests of a recording",
		Long: `Print the least-privilege policy for the requests of a recording: it allows their actions on their tables, indexes and
streams, and nothing else. Record a run in which your program uses every operation that it needs, without identities or
as an administrator.`,
		Example: `  tabletop policy suggest --recording requests.jsonl > policy.json
  tabletop policy suggest --recording requests.jsonl --leading-keys`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.read(cmd.Context(), func(in *recording.Reader) error {
				policy, n, err := policycheck.Suggest(in, options)
				if err != nil {
					return err
				}
				if n == 0 {
					return command.Usagef("%s has no requests that policies apply to: record requests to tables", f.file)
				}
				_, err = cmd.OutOrStdout().Write(policy)
				return err
			})
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().BoolVar(&options.LeadingKeys, "leading-keys", false,
		"Restrict actions to the recorded partition keys (dynamodb:LeadingKeys) where every request specifies one.")
	return cmd
}
