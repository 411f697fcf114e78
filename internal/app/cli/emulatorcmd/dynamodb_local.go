package emulatorcmd

import (
	"net"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// dynamoDBLocalFlags holds the flags of DynamoDB Local, which the emulator accepts with one dash, so that it can
// replace DynamoDB Local in scripts and containers. They are not in the help, and have no environment variables.
// Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.UsageNotes.html
type dynamoDBLocalFlags struct {
	sharedDB, inMemory, slowStates, optimize, noTelemetry bool
	port                                                  uint16
	dbPath, cors, jar                                     string
}

func (f *dynamoDBLocalFlags) bind(flags *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.BoolVar(&f.sharedDB, "sharedDb", false, "One set of tables for all access keys and regions.")
	own.BoolVar(&f.inMemory, "inMemory", false, "Data in memory.")
	own.BoolVar(&f.slowStates, "delayTransientStatuses", false, "Tables take time to change.")
	own.BoolVar(&f.optimize, "optimizeDbBeforeStartup", false, "Not needed: a data folder is always compact.")
	own.BoolVar(&f.noTelemetry, "disableTelemetry", false, "Not needed: the emulator sends no telemetry.")
	own.Uint16Var(&f.port, "port", 0, "Port of DynamoDB.")
	own.StringVar(&f.dbPath, "dbPath", "", "Data folder.")
	own.StringVar(&f.cors, "cors", "", "Web pages that may send requests.")
	own.StringVar(&f.jar, "jar", "", "The program of DynamoDB Local, which is not used.")
	replacements := map[string]string{"delayTransientStatuses": "--like-cloud=states",
		"port": "--dynamodb-addr 127.0.0.1:PORT", "dbPath": "--data FOLDER", "cors": "--trusted-host HOST"}
	own.VisitAll(func(flag *pflag.Flag) {
		flag.Hidden = true
		flags.AddFlag(flag)
		command.AcceptSingleDash(flags, flag.Name, replacements[flag.Name])
	})
}

// apply sets what the flags mean, and returns whether access keys and regions have separate tables, as they have in
// DynamoDB Local without -sharedDb. flags tells which flags are set.
func (f *dynamoDBLocalFlags) apply(flags *pflag.FlagSet, to *Flags) (isolate bool, err error) {
	switch {
	case f.cors != "":
		return false, command.Usagef("-cors is not supported: name the hosts of web pages with --trusted-host")
	case f.inMemory && f.dbPath != "":
		return false, command.Usagef("-inMemory and -dbPath exclude each other: omit one")
	case f.dbPath != "" && to.data != "":
		return false, command.Usagef("-dbPath and --data are the same: omit one")
	case flags.Changed("port") && f.port == 0:
		return false, command.Usagef("-port 0 is not a port: to pick a free one, use --dynamodb-addr 127.0.0.1:0")
	}
	if f.dbPath != "" {
		to.data = f.dbPath
	}
	if f.port != 0 {
		if to.addr, err = f.withPort(to.addr); err != nil {
			return false, err
		}
	}
	if f.slowStates && !slices.Contains(to.LikeCloud, emulator.States) {
		to.LikeCloud = append(to.LikeCloud, emulator.States)
	}
	return f.used() && !f.sharedDB, nil
}

// withPort returns an address with the port of -port.
func (f *dynamoDBLocalFlags) withPort(addr string) (string, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return "", command.Usagef("--dynamodb-addr %s is not an address: use HOST:PORT, such as 127.0.0.1:8000", addr)
	}
	return net.JoinHostPort(host, strconv.Itoa(int(f.port))), nil
}

// used reports whether a flag that tells of DynamoDB Local is set.
func (f *dynamoDBLocalFlags) used() bool { return *f != dynamoDBLocalFlags{} }
