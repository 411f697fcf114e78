package emulatorcmd

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// TestFlagsOfDynamoDBLocal checks what each flag of DynamoDB Local means.
func TestFlagsOfDynamoDBLocal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line, addr, data string
		isolate, states  bool
		err              string
	}{
		{line: "", addr: "127.0.0.1:8000"},
		{line: "--sharedDb --inMemory --port 9000", addr: "127.0.0.1:9000"},
		{line: "--sharedDb=true --dynamodb-addr 0.0.0.0:1 --port 9000", addr: "0.0.0.0:9000"},
		{line: "--inMemory", addr: "127.0.0.1:8000", isolate: true},
		{line: "--jar DynamoDBLocal.jar --sharedDb --dbPath d --optimizeDbBeforeStartup --disableTelemetry",
			addr: "127.0.0.1:8000", data: "d"},
		{line: "--sharedDb --delayTransientStatuses", addr: "127.0.0.1:8000", states: true},
		{line: "--inMemory --dbPath d", err: "-inMemory and -dbPath exclude each other"},
		{line: "--data e --dbPath d", err: "-dbPath and --data are the same"},
		{line: "--port 0", err: "-port 0 is not a port"},
		{line: "--cors *", err: "-cors is not supported: name the hosts of web pages with --trusted-host"},
	} {
		var f Flags
		var local dynamoDBLocalFlags
		flags := pflag.NewFlagSet("emulator", pflag.ContinueOnError)
		f.BindGroups(flags)
		local.bind(flags)
		if err := flags.Parse(strings.Fields(c.line)); err != nil {
			t.Fatal(err)
		}
		isolate, err := local.apply(flags, &f)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v, want %s", c.line, err, c.err)
			}
			continue
		}
		states := len(f.LikeCloud) == 1 && f.LikeCloud[0] == emulator.States
		if err != nil || f.addr != c.addr || f.data != c.data || isolate != c.isolate || states != c.states {
			t.Errorf("%s: %s %q isolated %t, states %t, %v", c.line, f.addr, f.data, isolate, states, err)
		}
	}
}

// TestSingleDashesOfDynamoDBLocal checks that the program takes the flags with one dash, as scripts for DynamoDB Local
// have them. The variable is of a Kubernetes service with the program's name.
func TestSingleDashesOfDynamoDBLocal(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"-jar DynamoDBLocal.jar -sharedDb -inMemory -port 0": "-port 0 is not a port",
		"emulator -inMemory -dbPath d":                       "-inMemory and -dbPath exclude each other",
		"-sharedDb -inMemory -port=x":                        `invalid argument "x" for "--port" flag`,
		"-sharedDB":                                          "unknown flag -sharedDB: see tabletop-emulator --help",
	} {
		var out, errs strings.Builder
		env := func(name string) (string, bool) { return "tcp://10.0.0.1:8000", name == "TABLETOP_PORT" }
		status := command.Main(t.Context(), command.Process{Args: strings.Fields(line), Env: env, Stdout: &out,
			Stderr: &errs}, Standalone())
		if status != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: %d %s %s, want %s", line, status, out.String(), errs.String(), want)
		}
	}
}
