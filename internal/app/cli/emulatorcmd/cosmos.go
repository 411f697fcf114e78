package emulatorcmd

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/selfsigned"
)

// defaultCosmosAddr is the address of Microsoft's Cosmos DB emulator, which clients expect.
const defaultCosmosAddr = "127.0.0.1:8081"

// cosmosFlags holds the flags of the emulator's Cosmos DB.
type cosmosFlags struct {
	flags         *pflag.FlagSet
	addr          string
	httpAddr      string
	computeAddr   string
	keys          []string
	region        string
	consistency   string
	backupDays    int
	temporaryCert bool // set by options: the certificate is for this run only
}

func (f *cosmosFlags) bind(flags *pflag.FlagSet) {
	f.flags = flags
	flags.StringVar(&f.addr, "cosmos-addr", defaultCosmosAddr,
		"HTTPS address of Cosmos DB. Port 0 picks a free port, which "+
			"is also the default if --dynamodb-addr has port 0. An empty address turns Cosmos DB off.")
	flags.StringVar(&f.httpAddr, "cosmos-http-addr", "", "HTTP address of Cosmos DB, in addition to HTTPS. Default: none.")
	flags.StringVar(&f.computeAddr, "cosmos-compute-addr", "",
		"HTTPS address of the Cosmos DB account's compute gateway. Default: none.")
	flags.StringArrayVar(&f.keys, "cosmos-key", nil, "Account key of the Cosmos DB account, in base64. Repeatable. "+
		"Default: the well-known key of Microsoft's emulator.")
	flags.StringVar(&f.region, "cosmos-region", emulator.DefaultCosmosRegion, "Region of the Cosmos DB account.")
	flags.StringVar(&f.consistency, "cosmos-consistency", emulator.DefaultCosmosConsistency,
		"Default consistency level of the Cosmos DB account: "+consistencyLevels()+".")
	flags.IntVar(&f.backupDays, "cosmos-continuous-backup", 0, "Days for which earlier states of Cosmos DB's containers "+
		"can be shown and restored in the web console: 7, 30, or 0 for none.")
}

// consistencyLevels returns the consistency levels that an account may have, separated by commas.
func consistencyLevels() string { return strings.Join(emulator.CosmosConsistencies(), ", ") }

// check rejects values that the emulator does not accept.
func (f *cosmosFlags) check() error {
	if !slices.Contains(emulator.CosmosConsistencies(), f.consistency) {
		return command.Usagef("--cosmos-consistency: unknown consistency level %q: use one of %s", f.consistency,
			consistencyLevels())
	}
	if f.backupDays != 0 && f.backupDays != 7 && f.backupDays != 30 {
		return command.Usagef("--cosmos-continuous-backup must be 7, 30, or 0 for none")
	}
	for _, key := range f.keys {
		if _, err := base64.StdEncoding.DecodeString(key); err != nil || key == "" {
			return command.Usagef("--cosmos-key is not base64: generate a key with openssl rand -base64 64")
		}
	}
	if f.region == "" {
		return command.Usagef("--cosmos-region is empty: omit it, or use a region such as West Europe")
	}
	return nil
}

// options returns the options for Cosmos DB of an emulator whose DynamoDB listens on dynamoAddr.
func (f *cosmosFlags) options(dynamoAddr string, log *slog.Logger) []emulator.Option {
	addr := f.addr
	if !f.flags.Changed("cosmos-addr") && strings.HasSuffix(dynamoAddr, ":0") {
		addr = "127.0.0.1:0"
	}
	opts := []emulator.Option{
		emulator.WithCosmosAddr(addr), emulator.WithCosmosHTTPAddr(f.httpAddr), emulator.WithCosmosComputeAddr(f.computeAddr),
		emulator.WithCosmosKeys(f.keys...),
		emulator.WithCosmosRegion(f.region), emulator.WithCosmosConsistency(f.consistency),
		emulator.WithCosmosContinuousBackup(f.backupDays),
	}
	if addr == "" && f.computeAddr == "" { // no HTTPS listener
		return opts
	}
	pem, err := UserCertificate()
	if f.temporaryCert = err != nil; f.temporaryCert { // a container may have no folder to store it in
		log.Debug("using a temporary certificate for Cosmos DB", "reason", err)
		return opts
	}
	return append(opts, emulator.WithCosmosCertificate(pem.Certificate, pem.Key))
}

// listenError returns the usage error for a Cosmos DB address that cannot be listened on.
func (f *cosmosFlags) listenError(err *emulator.ListenError) error {
	switch err.Addr {
	case f.httpAddr:
		return command.ListenError(err.Err, "cosmos-http-addr", err.Addr)
	case f.computeAddr:
		return command.ListenError(err.Err, "cosmos-compute-addr", err.Addr)
	}
	return command.ListenError(err.Err, "cosmos-addr", err.Addr)
}

// UserCertificate returns the certificate of the user's emulators. It is created once and stored, so that
// clients have to trust it only once.
func UserCertificate() (selfsigned.PEM, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return selfsigned.PEM{}, err
	}
	return selfsigned.LoadOrCreate(filepath.Join(folder, "tabletop", "cosmos.pem"), time.Now())
}

// describe returns where Cosmos DB listens and what a client needs to connect, formatted with line for each title and
// text. It returns "" if Cosmos DB is off.
func (f *cosmosFlags) describe(e *emulator.Emulator, line string) string {
	account, httpURL := e.CosmosURL(), e.CosmosHTTPURL()
	if account == "" {
		return ""
	}
	texts := []string{account}
	if account != httpURL {
		texts[0] = fmt.Sprintf("%-32s Trust its certificate: tabletop cosmos cert", account)
		if f.temporaryCert {
			texts[0] += " --endpoint " + account
		}
		if httpURL != "" {
			texts = append(texts, httpURL)
		}
	}
	if len(f.keys) == 0 {
		texts = append(texts, "key "+emulator.CosmosKey)
	}
	out, title := "", "Cosmos DB"
	for _, text := range texts {
		out += fmt.Sprintf(line, title, text)
		title = ""
	}
	return out
}

// NewCosmos returns the commands for Cosmos DB.
func NewCosmos() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cosmos",
		Short: "Print the TLS certificate of the emulator's Cosmos DB endpoint",
		Long: `Commands for the emulator's Cosmos DB endpoint, which tabletop emulator and tabletop up serve at
https://127.0.0.1:8081 by default. See --cosmos-addr.`,
		Example: `  tabletop cosmos cert --out cosmos.crt`,
		Args:    command.OnlySubcommands,
		RunE:    command.ShowHelp,
	}
	cmd.AddCommand(newCosmosCert())
	return cmd
}

func newCosmosCert() *cobra.Command {
	var out, endpoint string
	cmd := &cobra.Command{
		Use:   "cert",
		Short: "Print the certificate that clients of Cosmos DB must trust",
		Long: `Print the TLS certificate of the emulator's Cosmos DB in PEM format, so that clients can trust it. The certificate is
created once, stored in your configuration folder, and used by tabletop emulator and tabletop up.

An emulator in a container creates a new certificate at every start. To print it, use --endpoint while the emulator runs.`,
		Example: `  tabletop cosmos cert
  tabletop cosmos cert --out cosmos.crt
  tabletop cosmos cert --endpoint https://127.0.0.1:8081
  SSL_CERT_FILE=cosmos.crt go run .
  NODE_EXTRA_CA_CERTS=cosmos.crt node program.js
  keytool -importcert -noprompt -alias tabletop -file cosmos.crt -keystore trust.jks -storepass changeit`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			certificate, err := certificateOf(cmd.Context(), endpoint)
			if err != nil {
				return err
			}
			if out == "" {
				_, err = cmd.OutOrStdout().Write(certificate)
				return err
			}
			if err := os.WriteFile(out, certificate, 0o644); err != nil {
				return command.Usagef("--out %s: %v: use a file in an existing, writable folder", out, errors.Unwrap(err))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "File to write the certificate to. Default: standard output.")
	cmd.Flags().StringVar(&endpoint, "endpoint", "", "HTTPS URL of a running emulator whose certificate to print.")
	cmd.Flags().StringVar(&endpoint, "from", "", "")
	if err := cmd.Flags().MarkDeprecated("from", "use --endpoint"); err != nil {
		panic(err) // there is no such flag
	}
	return cmd
}
