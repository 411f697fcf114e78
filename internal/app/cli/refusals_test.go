package cli

import (
	"net"
	"strings"
	"testing"
)

// TestCommandsRefuseWhatCannotBegin checks that each command refuses what it cannot start, in one line with the remedy.
func TestCommandsRefuseWhatCannotBegin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"backend --target aws --yes-spend --pepper long --oidc-issuer https://id.example.com --oidc-audience tabletop", "documents' files would stay on this machine, outside af-south-1: give --uploads s3://BUCKET for the target aws, or leave verification out by --systems"},
		{"backend --target aws --yes-spend", "the default pepper is known to everyone: give --pepper a secret of your own for the target aws"},
		{"backend --target embedded --pepper=", "--pepper is empty: give it, or TABLETOP_PEPPER, a long random text and keep it"},
		{"backend --target embedded --prefix a/b", `--prefix "a/b": give at most 200 letters, digits, and _ . -`},
		{"tables create --prefix a/b", `--prefix "a/b": give at most 200 letters, digits, and _ . -`},
		{"backend --target embedded --retention 0s", "--retention 0s: give a positive duration such as 2160h"},
		{"backend --target embedded --backend-addr here", "address here cannot be used (address here: missing port in address): give --backend-addr HOST:PORT, such as 127.0.0.1:0"},
		{"features --target oracle", `--target: unknown target "oracle": use embedded, url=http://HOST:PORT, dynamodb-local, aws, cosmos=https://HOST:PORT or azure`},
		{"loadtest run TL-X9", `unknown profile "TL-X9"; use one of KF-L1, KF-L3, KF-L4, NT-L1, NT-L7, NT-L8, PE-L1, PE-L2, PE-L4, PE-L5, SV-L1, SV-L2, TL-D5, TL-L1, TL-L2, TL-L2-extreme, TL-L3, TL-L4, VR-L1, VR-L4, VR-L4-hot, or a .yaml file`},
		{"loadtest run --tries 0", "--tries 0: give how often a profile may run, at least 1"},
		{"loadtest saturate TL-L1 --steps 0", "--steps 0 --tries 2 --duration 10s: give at least 1 step, 1 try and some time for each"},
		{"loadtest saturate TL-L1 --backend http://127.0.0.1:1", "--backend needs --admin-token, to make the run's API keys"},
		{"loadtest run --rate-scale 0", "--duration cannot be negative and --rate-scale must be more than 0"},
		{"loadtest run --backend http://127.0.0.1:1", "--backend needs --admin-token, to make the run's API keys"},
		{"simulate", "no credential: give --api-key, or --admin-token of the backend to make keys for the run"},
		{"simulate --admin-token x --devices 10001", "10001 devices: a fleet has 1 to 10000"},
		{"simulate --admin-token x --devices 0", "--devices, --speed and --interval cannot be 0: leave them out for their defaults"},
		{"simulate --admin-token x --backend here", `"here" is no backend address: give one such as http://127.0.0.1:8080`},
		{"up --devices -1", "-1 devices: a fleet has 1 to 10000"},
		{"emulator --like-cloud=thunder", `invalid argument "thunder" for "--like-cloud" flag: unknown piece "thunder" of the cloud: use throttling, lag, conflicts or states: see tabletop emulator --help`},
		{"emulator --alarm-webhook on-call", `--alarm-webhook: the actions of alarms cannot go to "on-call": give a URL such as http://127.0.0.1:9000/alarms`},
		{"emulator --root-key k", "--root-key is of the data folder: name that by --data too"},
		{"emulator --encrypt-data", "--encrypt-data is of the data folder: name that by --data too"},
		{"emulator --accept-loss", "--accept-loss is of the data folder: name that by --data too"},
		{"up --identities i.yaml", "--identities and --backend-user go together: the backend is one of the users"},
		{"up --backend-user ana", "--identities and --backend-user go together: the backend is one of the users"},
		{"up --systems kefir", "--systems kefir: the fleet needs telemetry: name it too, or run tabletop emulator and tabletop backend"},
		{"up --cosmos-addr= --systems notification,telemetry", "--systems notification,telemetry: notification is on Cosmos DB, which is off: give it an address by --cosmos-addr"},
		{"emulator --cosmos-addr nonsense", "address nonsense cannot be used (address nonsense: missing port in address): give --cosmos-addr HOST:PORT, such as 127.0.0.1:0"},
		{"emulator --cosmos-key short", "--cosmos-key is not base64: make a key by openssl rand -base64 64"},
		{"emulator --cosmos-consistency Foo", `--cosmos-consistency: there is no level "Foo": give one of Strong, BoundedStaleness, Session, ConsistentPrefix, Eventual`},
		{"emulator --cosmos-region=", "--cosmos-region is empty: leave it out, or name a region such as West Europe"},
		{"cosmos cert --out /none/at/all", "--out /none/at/all: no such file or directory: name a file in a folder that is there and yours to write"},
		{"up --otlp-endpoint 127.0.0.1:4318", `--otlp-endpoint "127.0.0.1:4318" is not an address: give one such as http://127.0.0.1:4318`},
		{"dashboard --check 127.0.0.1:9090", `--check "127.0.0.1:9090": give the address of a Prometheus such as http://127.0.0.1:9090`},
		{"dashboard --check http://127.0.0.1:1 --interval 1ms", "--interval 1ms: give at least a second, such as 1m"},
		{"dashboard --check=", `--check "": give the address of a Prometheus such as http://127.0.0.1:9090`},
		{"up now", `unexpected argument "now": tabletop up takes only flags, see tabletop up --help`},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			refused(t, runCommand(t.Context(), nil, strings.Fields(c.line)...), c.want)
		})
	}
}

func TestWrongVariableIsRefused(t *testing.T) {
	t.Parallel()
	refused(t, runCommand(t.Context(), map[string]string{"TABLETOP_DEVICES": "many"}, "up"),
		"TABLETOP_DEVICES=many: not a value for --devices, which takes int: change or unset the variable")
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
		refused(t, runCommand(t.Context(), nil, "up", "--dynamodb-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--backend-addr", addr, "--data", data),
			"address "+addr+" is taken: stop what listens there or give --backend-addr 127.0.0.1:0")
	}
}
