package cli

import (
	"strings"
	"testing"
)

func TestAKitchenIsSeeded(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet")
	target := "url=" + s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	first := runCommand(t.Context(), nil, "seed", "kefir", "--target", target, "--prefix", "a-", "--users", "3")
	if first.status != 0 || !strings.HasPrefix(first.stdout, "3 users, ") || !strings.Contains(first.stdout, "a-kefir-app-dev-table\nThe first user is ana-1\n") {
		t.Errorf("%+v", first)
	}
}

func TestSeedingIsRefused(t *testing.T) {
	t.Parallel()
	refused(t, runCommand(t.Context(), nil, "seed", "kefir", "--users", "0"), "--users 0: give a number from 1 to 100000")
	refused(t, runCommand(t.Context(), nil, "seed", "kefir", "--target", "embedded"),
		"the target embedded is gone when the command ends: give url=http://HOST:PORT or aws")
}
