package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Claim makes this process the shard in a folder, which it creates if necessary. If the shard's number is 0, it takes
// the lowest number that no other process has. Errors: another process has the number, or all numbers are taken.
func Claim(dir string, s sim.Shard) (sim.Shard, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return s, fmt.Errorf("cannot create the folder of the shards: %w", err)
	}
	from, to := s.Number, s.Number
	if s.Number == 0 {
		from, to = 1, s.Of
	}
	for s.Number = from; s.Number <= to; s.Number++ {
		f, err := os.OpenFile(filepath.Join(dir, marker("claimed", s)), os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return s, f.Close()
		}
		if !errors.Is(err, fs.ErrExist) {
			return s, fmt.Errorf("cannot write into the folder of the shards: %w", err)
		}
	}
	if from == to {
		return s, fmt.Errorf("shard %d/%d is taken in %s: use an empty folder for each run", from, s.Of, dir)
	}
	return s, fmt.Errorf("all %d shards are taken in %s: use an empty folder for each run", s.Of, dir)
}

// End records that the process of a shard has ended, with its error if there is one.
func End(dir string, s sim.Shard, err error) error {
	var text []byte
	if err != nil {
		text = []byte(err.Error())
	}
	return write(filepath.Join(dir, marker("ended", s)), text)
}

// AwaitEnd waits until all shards of a folder have ended. Errors: one has failed, or the wait of the Config is over.
func AwaitEnd(ctx context.Context, c Config) error {
	g := Open(c, "")
	if err := g.await(ctx, "", "claimed-1-of-*"); err != nil {
		return fmt.Errorf("no shard has started: %w", err)
	}
	claimed, err := filepath.Glob(filepath.Join(c.Dir, "claimed-1-of-*"))
	if err != nil || len(claimed) != 1 {
		return errors.Join(fmt.Errorf("%s has files of several runs: use an empty folder for each run", c.Dir), err)
	}
	var first sim.Shard
	if _, err := fmt.Sscanf(filepath.Base(claimed[0]), "claimed-%d-of-%d", &first.Number, &first.Of); err != nil {
		return err
	}
	for k := 1; k <= first.Of; k++ {
		name := marker("ended", sim.Shard{Number: k, Of: first.Of})
		if err := g.await(ctx, "", name); err != nil {
			return fmt.Errorf("shard %d/%d has not ended: %w", k, first.Of, err)
		}
		text, err := os.ReadFile(filepath.Join(c.Dir, name))
		if err == nil && len(text) > 0 {
			err = fmt.Errorf("shard %d/%d failed: %s", k, first.Of, strings.TrimSpace(string(text)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func marker(kind string, s sim.Shard) string {
	return fmt.Sprintf("%s-%d-of-%d", kind, s.Number, s.Of)
}
