package targets

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const jarVersion = "3.3.1"

// pom requests DynamoDB Local and a version of the SDK that is available, because the version that DynamoDB Local names
// itself is not always.
//
//go:embed dynamodblocal.pom.xml
var pom []byte

// fetchJar returns the folder with DynamoDB Local's jars and native libraries. The first call on a machine downloads
// them with Maven, from the repositories that Maven is configured with; the licence does not allow Tabletop to ship
// them.
func fetchJar(ctx context.Context, o Options) (string, error) {
	root, err := cacheRoot(o)
	if err != nil {
		return "", err
	}
	lib := filepath.Join(root, "dynamodb-local", jarVersion)
	if _, err := os.Stat(filepath.Join(lib, "DynamoDBLocal-"+jarVersion+".jar")); err == nil {
		return lib, nil
	}
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return "", errors.New("mvn is not on the PATH: install Maven to fetch the jar once")
	}
	if err := os.MkdirAll(filepath.Dir(lib), 0o755); err != nil {
		return "", fmt.Errorf("cannot write to the cache folder: %w", err)
	}
	o.Logger.Info("fetching DynamoDB Local with Maven; this happens once", "into", lib)
	return lib, download(ctx, mvn, lib)
}

func cacheRoot(o Options) (string, error) {
	if o.CacheDir != "" {
		return o.CacheDir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no cache folder: set HOME or XDG_CACHE_HOME (%w)", err)
	}
	return filepath.Join(dir, "tabletop"), nil
}

// download fills a folder beside lib and renames it at the end, so that lib is complete or missing, even if two
// processes download at the same time.
func download(ctx context.Context, mvn, lib string) error {
	tmp, err := os.MkdirTemp(filepath.Dir(lib), "fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "pom.xml")
	if err := os.WriteFile(file, pom, 0o644); err != nil {
		return err
	}
	out := filepath.Join(tmp, "lib")
	cmd := exec.CommandContext(ctx, mvn, "-q", "-B", "-f", file, "dependency:copy-dependencies", "-DoutputDirectory="+out)
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("maven could not fetch DynamoDB Local: check its settings and network (%w) %s", err, firstLine(msg))
	}
	err = os.Rename(out, lib)
	if _, statErr := os.Stat(lib); statErr == nil {
		return nil
	}
	return err
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return line
}
