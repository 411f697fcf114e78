package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCertificateIsStoredOnlyForHTTPS is not parallel: it sets the user's configuration folder.
func TestCertificateIsStoredOnlyForHTTPS(t *testing.T) {
	for _, c := range []struct {
		flags  []string
		stored bool
	}{
		{[]string{"--cosmos-addr", ""}, false},
		{[]string{"--cosmos-addr", "", "--cosmos-http-addr", "127.0.0.1:0"}, false},
		{[]string{"--cosmos-addr", "", "--cosmos-compute-addr", "127.0.0.1:0"}, true},
	} {
		t.Setenv("HOME", t.TempDir())
		t.Setenv("XDG_CONFIG_HOME", filepath.Join(os.Getenv("HOME"), "config"))
		s := start(t, append([]string{"emulator", "--dynamodb-addr", "127.0.0.1:0"}, c.flags...)...)
		s.await(t, "Press Ctrl-C to stop")
		if got := s.stop(t); got.status != 0 {
			t.Fatalf("%v: %+v", c.flags, got)
		}
		folder, err := os.UserConfigDir()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(folder, "tabletop", "cosmos.pem")); (err == nil) != c.stored {
			t.Errorf("%v: %v", c.flags, err)
		}
	}
}
