package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReportCombinesResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder := func(name string) string { return filepath.Join(dir, name) }
	flags := []string{"--features", folder("selected"), "--loadtest", folder("loadtest"), "--simulations",
		folder("simulations"), "--out", dir}
	refused := runCommand(t.Context(), nil, append([]string{"report"}, flags...)...)
	if refused.status != 1 || !strings.Contains(refused.stderr, "no results in") {
		t.Errorf("%+v", refused)
	}
	if got := runCommand(t.Context(), nil, "features", "--tags", "@TL-P3", "--report", dir); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	got := runCommand(t.Context(), nil, append([]string{"report"}, flags...)...)
	page, err := os.ReadFile(folder("overview.html"))
	if got.status != 0 || !strings.Contains(got.stdout, folder("overview.html")) || err != nil ||
		!strings.Contains(string(page), "TL-P3") {
		t.Errorf("%+v, %v", got, err)
	}
}
