package cli

import (
	"strings"
	"testing"
)

func TestSeedKefir(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	target := "url=" + s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	first := runCommand(t.Context(), nil, "seed", "kefir", "--target", target, "--prefix", "a-", "--users", "3")
	if first.status != 0 || !strings.HasPrefix(first.stdout, "Wrote 3 users, ") || !strings.Contains(first.stdout,
		"a-kefir-app-dev-table\nFirst user: ana-1\nPASS  tabletop seed kefir\n") {
		t.Errorf("%+v", first)
	}
}

func TestInvalidSeedsAreRefused(t *testing.T) {
	t.Parallel()
	wantRefusal(t, runCommand(t.Context(), nil, "seed", "kefir", "--users", "0"),
		"--users 0 is out of range: use 1 to 100000")
	wantRefusal(t, runCommand(t.Context(), nil, "seed", "kefir", "--target", "embedded"),
		"the target embedded exists only while the command runs: use --target url=http://HOST:PORT or aws")
}
