package store_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/race"
)

const (
	crashDirVar    = "TABLETOP_CRASH_DIR" // set for the child: the folder to write to
	crashesVar     = "TABLETOP_CRASHES"   // how many crashes to make
	defaultCrashes = 5
	crashWriters   = 8
	crashesPerDir  = 20 // then a new folder, so that checking all of it stays quick
	maxAcks        = 200
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDirVar); dir != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(dir))
		os.Exit(1)
	}
	if race.Enabled { // which makes each history ten times as slow: a third of them
		if err := flag.Set("rapid.checks", "33"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// writeUntilKilled is the child process: its writers commit one batch after another, and report each on standard
// output. It returns only an error.
func writeUntilKilled(dir string) error {
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for w := range crashWriters {
		go func() { failed <- writeBatches(s, w) }()
	}
	return <-failed
}

func writeBatches(s *store.Store, w int) error {
	last := crashKey(w, 0, "last")
	for {
		var batch int
		err := s.Update(store.Latch(last), func(tx *store.Tx) error {
			value, _, err := tx.Get(last)
			if err != nil {
				return err
			}
			batch = number(value) + 1
			for _, key := range [][]byte{last, crashKey(w, batch, "a"), crashKey(w, batch, "b")} {
				if err := tx.Set(key, strconv.AppendInt(nil, int64(batch), 10)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Printf("%d %d\n", w, batch); err != nil {
			return err
		}
	}
}

func crashKey(w, batch int, name string) []byte {
	return fmt.Appendf(nil, "%02d/%08d/%s", w, batch, name)
}

// TestKilledProcessLosesNothing kills a writing process at random moments, TABLETOP_CRASHES times.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	crashes := defaultCrashes
	if text := os.Getenv(crashesVar); text != "" {
		var err error
		if crashes, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s=%q is not a number: set it to how many crashes to make", crashesVar, text)
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	var dir string
	for i := range crashes {
		if i%crashesPerDir == 0 {
			dir = t.TempDir()
		}
		acknowledged := crash(t, dir, 1+rng.IntN(maxAcks))
		checkAfterCrash(t, dir, acknowledged)
	}
}

// crash runs a child, kills it after a number of acknowledged batches, and returns each writer's last one.
func crash(t *testing.T, dir string, acks int) [crashWriters]int {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashDirVar+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() { _ = child.Process.Kill() })
	defer kill()
	var acknowledged [crashWriters]int
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ { // includes batches acknowledged before the kill took effect
		var w, batch int
		if _, err := fmt.Sscan(lines.Text(), &w, &batch); err == nil {
			acknowledged[w] = batch
		}
		if n == acks {
			kill()
		}
	}
	if err := child.Wait(); err == nil || acknowledged == [crashWriters]int{} {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return acknowledged
}

func checkAfterCrash(t *testing.T, dir string, acknowledged [crashWriters]int) {
	t.Helper()
	s := open(t, dir)
	err := s.View(func(r *store.Reader) error {
		for w, acked := range acknowledged {
			value, _, err := r.Get(crashKey(w, 0, "last"))
			if err != nil {
				return err
			}
			last := number(value)
			if last < acked {
				t.Errorf("writer %d was told of batch %d, and %d is the last there", w, acked, last)
			}
			if err := checkBatches(t, r, w, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkBatches checks that both keys of each batch up to the last are there, and none after.
func checkBatches(t *testing.T, r *store.Reader, w, last int) error {
	it := r.Iter(crashKey(w, 1, ""), crashKey(w+1, 0, ""), false)
	for batch := 1; batch <= last; batch++ {
		for _, name := range []string{"a", "b"} {
			want := crashKey(w, batch, name)
			if !it.Next() || string(it.Key()) != string(want) || number(it.Value()) != batch {
				t.Fatalf("key %s is missing or wrong, and %d is the writer's last batch", want, last)
			}
		}
	}
	if it.Next() {
		t.Errorf("key %s is of a batch after %d, the writer's last", it.Key(), last)
	}
	return it.Close()
}
