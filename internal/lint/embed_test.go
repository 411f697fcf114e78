package lint

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// embeddedModules lists the modules that a program compiles if it imports package emulator. Some come with Pebble: it
// uses Prometheus' client library for metrics and Sentry's for errors. An additional module is a cost for everybody who
// embeds the emulator; what needs one belongs in a package of its own, as emulator/console and emulator/cosmosclient
// do.
func embeddedModules() map[string][]string {
	return map[string][]string{
		"the AWS configuration": {"github.com/aws/aws-sdk-go-v2", "github.com/aws/aws-sdk-go-v2/credentials",
			"github.com/aws/smithy-go"},
		"Pebble": {"github.com/cockroachdb/pebble/v2", "github.com/cespare/xxhash/v2",
			"github.com/RaduBerinde/btreemap"},
		"what Pebble needs": pebbleModules(),
		"JavaScript in stored procedures": {"github.com/aperturerobotics/go-quickjs-wasi-reactor",
			"github.com/tetratelabs/wazero"},
		"queries of Cosmos DB": {"github.com/golang/geo", "github.com/kljensen/snowball",
			"github.com/twmb/murmur3"},
		"CloudWatch's protocol":          {"github.com/fxamacker/cbor/v2", "github.com/x448/float16"},
		"policies and recordings":        {"github.com/go-json-experiment/json"},
		"files of identities and faults": {"gopkg.in/yaml.v3"},
		"access keys":                    {"github.com/google/uuid"},
	}
}

func pebbleModules() []string {
	return []string{
		"github.com/DataDog/zstd", "github.com/RaduBerinde/axisds", "github.com/beorn7/perks", "github.com/cockroachdb/crlib",
		"github.com/cockroachdb/errors", "github.com/cockroachdb/logtags", "github.com/cockroachdb/redact",
		"github.com/cockroachdb/swiss",
		"github.com/cockroachdb/tokenbucket", "github.com/getsentry/sentry-go", "github.com/gogo/protobuf",
		"github.com/golang/snappy",
		"github.com/klauspost/compress", "github.com/kr/pretty", "github.com/kr/text", "github.com/minio/minlz",
		"github.com/munnerz/goautoneg",
		"github.com/pkg/errors", "github.com/prometheus/client_golang", "github.com/prometheus/client_model",
		"github.com/prometheus/common",
		"github.com/prometheus/procfs", "github.com/rogpeppe/go-internal", "golang.org/x/exp", "golang.org/x/net",
		"golang.org/x/sys",
		"golang.org/x/text", "google.golang.org/protobuf",
	}
}

func TestEmulatorImportsOnlyAllowedModules(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{.Path}} {{end}}{{.ImportPath}}", "./emulator")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var allowed []string
	for _, modules := range embeddedModules() {
		allowed = append(allowed, modules...)
	}
	for line := range strings.Lines(string(out)) {
		modulePath, imported, inModule := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case inModule && modulePath != module && !slices.Contains(allowed, modulePath):
			t.Errorf("package emulator comes to %s of module %s, which is not among what it may need", imported, modulePath)
		case slices.Contains(serverPackages(), imported), under(imported, module+"/internal/app"):
			t.Errorf("package emulator comes to %s: only the packages beside it and the programs may", imported)
		}
	}
}

// serverPackages lists packages of allowed modules that only servers need.
func serverPackages() []string {
	return []string{"github.com/prometheus/client_golang/prometheus/promhttp",
		"github.com/prometheus/client_golang/prometheus/collectors", "html/template", "text/template"}
}
