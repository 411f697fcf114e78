package cli

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/features/targets"
)

// client returns a client of the DynamoDB service at an address.
func client(t *testing.T, endpoint string) *dynamodb.Client {
	t.Helper()
	target, err := targets.Spec{Kind: targets.URL, URL: endpoint}.Open(t.Context(), targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return target.DynamoDB()
}

func TestEmulatorPrintsItsAddress(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{}, {"--quiet"}, {"--isolate"}, {"--like-cloud"}, {"--like-cloud="},
		{"--like-cloud=lag,states"}, {"--data", filepath.Join(t.TempDir(), "new")}} {
		s := start(t, append([]string{"emulator", "--dynamodb-addr", "127.0.0.1:0"}, flags...)...)
		endpoint := s.await(t, `http://127\.0\.0\.1:[1-9][0-9]+`)
		if _, err := client(t, endpoint).ListTables(t.Context(), nil); err != nil {
			t.Errorf("%v: %v", flags, err)
		}
		if got := s.stop(t); got.status != 0 || got.stderr != "" {
			t.Errorf("%v: status %d, %s", flags, got.status, got.stderr)
		}
	}
}

func TestUnusableAddressesAreRefused(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	taken := l.Addr().String()
	for addr, want := range map[string]string{
		taken: "address " + taken +
			" is already in use: stop the process that uses it, or use --dynamodb-addr 127.0.0.1:0",
		"192.0.2.1:0":     "address 192.0.2.1:0 does not belong to this machine: use --dynamodb-addr 127.0.0.1:0",
		"8000":            "cannot listen on address 8000 (address 8000: missing port in address): use --dynamodb-addr HOST:PORT, such as 127.0.0.1:0",
		"127.0.0.1:99999": "cannot listen on address 127.0.0.1:99999 (address 99999: invalid port): use --dynamodb-addr HOST:PORT, such as 127.0.0.1:0",
	} {
		wantRefusal(t, runCommand(t.Context(), nil, "emulator", "--dynamodb-addr", addr), want)
	}
}

func TestEmulatorRefusesAFileAsDataFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("not a folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runCommand(t.Context(), nil, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--data", file)
	if got.status != 2 || !strings.Contains(got.stderr, file) || strings.Count(got.stderr, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

func TestEmulatorRefusesADataFolderInUse(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	args := []string{"emulator", "--dynamodb-addr", "127.0.0.1:0", "--data", data}
	first := start(t, args...)
	first.await(t, "http://")
	second := runCommand(context.WithoutCancel(t.Context()), nil, args...)
	if second.status != 2 || !strings.Contains(second.stderr, "data folder "+data+" is in use by another") ||
		strings.Count(second.stderr, "\n") != 1 {
		t.Errorf("%+v", second)
	}
	if got := first.stop(t); got.status != 0 {
		t.Errorf("%+v", got)
	}
}
