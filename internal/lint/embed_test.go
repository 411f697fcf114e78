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

// programModules lists the modules that tabletop-emulator needs in addition to package emulator.
func programModules() map[string][]string {
	return map[string][]string{
		"commands and flags": {"github.com/spf13/cobra", "github.com/spf13/pflag"},
		"the admin API":      {"github.com/danielgtaylor/huma/v2"},
	}
}

func TestEmulatorImportsOnlyAllowedModules(t *testing.T) {
	t.Parallel()
	for _, p := range dependencies(t, "./emulator") {
		switch {
		case p.module != "" && p.module != module && !lists(embeddedModules(), p.module):
			t.Errorf("package emulator comes to %s of module %s, which it may not need", p.path, p.module)
		case slices.Contains(serverPackages(), p.path), under(p.path, module+"/internal/app"):
			t.Errorf("package emulator comes to %s: only the packages beside it and the programs may", p.path)
		}
	}
}

// TestEmulatorProgramLinksOnlyAllowedModules keeps the libraries of the verification out of the program that people
// run: SDK clients, Docker, Gherkin and load generators.
func TestEmulatorProgramLinksOnlyAllowedModules(t *testing.T) {
	t.Parallel()
	linked := map[string]bool{}
	for _, p := range dependencies(t, "./cmd/tabletop-emulator") {
		linked[p.module] = true
		allowed := lists(embeddedModules(), p.module) || lists(programModules(), p.module)
		if p.module != "" && p.module != module && !allowed {
			t.Errorf("tabletop-emulator links %s of module %s, which it may not need", p.path, p.module)
		}
		for _, folder := range harness() {
			if under(p.path, module+"/"+folder) {
				t.Errorf("tabletop-emulator links %s, which is not part of the emulator", p.path)
			}
		}
	}
	for _, modules := range programModules() {
		for _, m := range modules {
			if !linked[m] {
				t.Errorf("tabletop-emulator does not link module %s: remove it from the list", m)
			}
		}
	}
}

// harness lists the folders of what uses an emulator.
func harness() []string {
	return []string{"backend", "docs", "features", "loadtest", "simulators", "tools"}
}

// dependency is a package that is compiled with another one. Its module is "" in the standard library.
type dependency struct{ path, module string }

// dependencies returns the packages that a package is compiled with, and itself.
func dependencies(t *testing.T, path string) []dependency {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
		"{{with .Module}}{{.Path}} {{end}}{{.ImportPath}}", path)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []dependency
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		found := dependency{path: fields[len(fields)-1]}
		if len(fields) == 2 {
			found.module = fields[0]
		}
		all = append(all, found)
	}
	return all
}

func lists(groups map[string][]string, name string) bool {
	for _, modules := range groups {
		if slices.Contains(modules, name) {
			return true
		}
	}
	return false
}

// serverPackages lists packages of allowed modules that only servers need.
func serverPackages() []string {
	return []string{"github.com/prometheus/client_golang/prometheus/promhttp",
		"github.com/prometheus/client_golang/prometheus/collectors", "html/template", "text/template"}
}
