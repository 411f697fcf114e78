package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// await waits for a file that matches a pattern. failures is the beginning of the names of files with the failures of
// other shards; empty: there are none. Errors: another shard failed, or the wait is over.
func (g *Group) await(ctx context.Context, failures, pattern string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, g.Wait, fmt.Errorf("waited for %v: check that all shards run and share "+
		"the folder %s", g.Wait, g.Dir))
	defer cancel()
	tick := time.NewTicker(g.Poll)
	defer tick.Stop()
	for {
		found, err := g.look(failures, filepath.Base(pattern))
		if found || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// look reports whether a file is there. It lists the folder, because network file systems may remember for a minute
// that a single file was not there. Errors: another shard failed.
func (g *Group) look(failures, pattern string) (found bool, err error) {
	entries, err := os.ReadDir(g.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the first shard may still create it
		return false, err
	}
	for _, e := range entries {
		if match, err := filepath.Match(pattern, e.Name()); match || err != nil {
			return match, err
		}
	}
	for _, e := range entries {
		if k, ok := strings.CutPrefix(e.Name(), failures); ok && failures != "" {
			text, err := os.ReadFile(filepath.Join(g.Dir, e.Name()))
			return false, errors.Join(fmt.Errorf("shard %s failed: %s", k, text), err)
		}
	}
	return false, nil
}

// write writes a file that only its owner can read, because some hold credentials.
func write(name string, text []byte) error {
	if err := wholefile.WriteFile(name, text, 0o600); err != nil {
		return fmt.Errorf("cannot write into the folder of the shards: %w", err)
	}
	return nil
}
