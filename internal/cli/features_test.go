package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFeaturesPrintTheVerdictAndTheReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := runCommand(t.Context(), nil, "features", "--tags", "@TL-P3", "--report", dir)
	page := filepath.Join(dir, "index.html")
	if got.status != 0 || !strings.Contains(got.stdout, " 0 failed") || !strings.Contains(got.stdout, page) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

func TestTagsThatNothingHasAreAnError(t *testing.T) {
	t.Parallel()
	got := runCommand(t.Context(), nil, "features", "--tags", "@TL-X9", "--report", t.TempDir())
	if got.status != 1 || !strings.Contains(got.stderr, "no scenario has the tags") {
		t.Errorf("%+v", got)
	}
}
