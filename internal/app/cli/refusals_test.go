package cli

import (
	"net"
	"strings"
	"testing"
)

// TestInvalidCommandLinesAreRefused checks that each command refuses what it cannot start, in one line with the remedy.
func TestInvalidCommandLinesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"backend --target aws --yes-spend --pepper long --oidc-issuer https://id.example.com --oidc-audience tabletop", "uploaded documents would stay on this machine, outside af-south-1: set --uploads s3://BUCKET for the target aws, or exclude verification with --systems"},
		{"backend --target aws --yes-spend",
			"the default pepper is public: set --pepper to a secret of your own for the target aws"},
		{"backend --target embedded --pepper=",
			"--pepper is empty: set it, or TABLETOP_PEPPER, to a long random string and keep it"},
		{"backend --target embedded --prefix a/b",
			`--prefix "a/b" is invalid: use at most 200 letters, digits, and the characters _ . -`},
		{"tables create --prefix a/b",
			`--prefix "a/b" is invalid: use at most 200 letters, digits, and the characters _ . -`},
		{"backend --target embedded --retention 0s", "--retention 0s is not positive: use a duration such as 2160h"},
		{"backend --target embedded --backend-addr here", "cannot listen on address here (address here: missing port in address): use --backend-addr HOST:PORT, such as 127.0.0.1:0"},
		{"features --target oracle", `--target: unknown target "oracle": use embedded, url=http://HOST:PORT, alternator=http://HOST:PORT, dynamodb-local, aws, cosmos=https://HOST:PORT or azure`},
		{"loadtest run TL-X9", `unknown profile "TL-X9": use one of KF-L1, KF-L3, KF-L4, NT-L1, NT-L7, NT-L8, PE-L1, PE-L2, PE-L4, PE-L5, SV-L1, SV-L2, TL-D5, TL-L1, TL-L2, TL-L2-extreme, TL-L3, TL-L4, VR-L1, VR-L4, VR-L4-hot, or a .yaml file`},
		{"loadtest run --tries 0", "--tries 0 is out of range: use 1 or more"},
		{"loadtest saturate", "tabletop loadtest saturate takes one load profile: see tabletop loadtest saturate --help"},
		{"loadtest saturate TL-L1 --steps 0", "--steps 0 --tries 2 --duration 10s: all three must be greater than 0"},
		{"loadtest saturate TL-L1 --backend http://127.0.0.1:1",
			"--backend requires --admin-token, to create API keys for the run"},
		{"loadtest run --rate-scale 0", "--duration must not be negative, and --rate-scale must be greater than 0"},
		{"loadtest run --backend http://127.0.0.1:1", "--backend requires --admin-token, to create API keys for the run"},
		{"simulate", "no credential: set --api-key, or --admin-token to create API keys for the run"},
		{"simulate --admin-token x --devices 10001", "--devices 10001 is out of range: use 1 to 10000"},
		{"simulate --admin-token x --devices 0", "--devices cannot be 0: omit it to use the default"},
		{"simulate --admin-token x --interval 0", "--interval cannot be 0: omit it to use the default"},
		{"simulate --admin-token x --progress xml", `--progress "xml": use text or json`},
		{"simulate --admin-token x --backend here", `--backend "here" is not a URL: use one such as http://127.0.0.1:8080`},
		{"up --devices -1", "--devices -1 is out of range: use 1 to 10000"},
		{"emulator --like-cloud=thunder", `invalid argument "thunder" for "--like-cloud" flag: unknown cloud behaviour "thunder": use throttling, lag, conflicts or states: see tabletop emulator --help`},
		{"emulator --alarm-webhook on-call",
			`--alarm-webhook: "on-call" is not an http or https URL: use one such as http://127.0.0.1:9000/alarms`},
		{"emulator --root-key k", "--root-key requires --data"},
		{"emulator --encrypt-data", "--encrypt-data requires --data"},
		{"emulator --accept-loss", "--accept-loss requires --data"},
		{"emulator --memory 512MiB", "--memory requires --data: without it, all data is in memory"},
		{"emulator --memory 100MiB", `invalid argument "100MiB" for "--memory" flag: 100MiB is too small: the minimum is 256MiB: see tabletop emulator --help`},
		{"emulator --memory 1GB", `invalid argument "1GB" for "--memory" flag: 1GB is no size: use KiB, MiB or GiB, as in 512MiB: see tabletop emulator --help`},
		{"up --identities i.yaml",
			"--identities and --backend-user require each other: set --backend-user to a user of --identities"},
		{"up --backend-user ana",
			"--identities and --backend-user require each other: set --backend-user to a user of --identities"},
		{"up --systems kefir",
			"--systems kefir: the fleet requires telemetry: add it, or set --devices 0 to run no fleet"},
		{"up --cosmos-addr= --systems notification,telemetry",
			"--systems notification,telemetry: notification requires Cosmos DB, which is off: set --cosmos-addr"},
		{"emulator --dynamodb-addr 127.0.0.1:0 --cosmos-addr nonsense", "cannot listen on address nonsense (address nonsense: missing port in address): use --cosmos-addr HOST:PORT, such as 127.0.0.1:0"},
		{"emulator --cosmos-key short", "--cosmos-key is not base64: generate a key with openssl rand -base64 64"},
		{"emulator --cosmos-consistency Foo", `--cosmos-consistency: unknown consistency level "Foo": use one of Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual`},
		{"emulator --cosmos-region=", "--cosmos-region is empty: omit it, or use a region such as West Europe"},
		{"cosmos cert --out /none/at/all",
			"--out /none/at/all: no such file or directory: use a file in an existing, writable folder"},
		{"up --dynamodb-addr 127.0.0.1:0 --cosmos-addr 127.0.0.1:0 --otlp-endpoint 127.0.0.1:4318",
			`--otlp-endpoint "127.0.0.1:4318" is not a URL: use one such as http://127.0.0.1:4318`},
		{"dashboard --check 127.0.0.1:9090",
			`--check "127.0.0.1:9090" is not a URL: use that of a Prometheus server, such as http://127.0.0.1:9090`},
		{"dashboard --check http://127.0.0.1:1 --interval 1ms", "--interval 1ms is too short: use at least 1s, such as 1m"},
		{"dashboard --check=", `--check "" is not a URL: use that of a Prometheus server, such as http://127.0.0.1:9090`},
		{"up now", `unexpected argument "now": tabletop up takes no arguments; see tabletop up --help`},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			wantRefusal(t, runCommand(t.Context(), nil, strings.Fields(c.line)...), c.want)
		})
	}
}

func TestInvalidEnvironmentVariableIsRefused(t *testing.T) {
	t.Parallel()
	wantRefusal(t, runCommand(t.Context(), map[string]string{"TABLETOP_DEVICES": "many"}, "up"),
		"environment variable TABLETOP_DEVICES=many is not a valid int for --devices: change or unset it")
}

// TestUpStopsWhatItStarted checks that `tabletop up` leaves no emulator running if its backend's address is in use.
func TestUpStopsWhatItStarted(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	addr, data := taken.Addr().String(), t.TempDir()
	for range 2 { // the second finds the folder in use if the first left an emulator
		wantRefusal(t, runCommand(t.Context(), nil, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0",
			"--backend-addr", addr, "--data", data),
			"address "+addr+" is already in use: stop the process that uses it, or use --backend-addr 127.0.0.1:0")
	}
}
