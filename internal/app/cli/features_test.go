package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFeaturesPrintResultsAndReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got := runCommand(t.Context(), nil, "features", "--tags", "@TL-P3", "--report", dir)
	page := filepath.Join(dir, "selected", "index.html")
	if got.status != 0 || !strings.Contains(got.stdout, " 0 failed") || !strings.Contains(got.stdout, page) {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(page); err != nil {
		t.Error(err)
	}
}

// TestUnavailableTargetsAreRefused checks that an unusable target is a usage error of one line that names the remedy.
func TestUnavailableTargetsAreRefused(t *testing.T) {
	t.Parallel()
	for target, says := range map[string]string{
		"url=http://127.0.0.1:1":     "cannot reach DynamoDB at http://127.0.0.1:1: start it, or correct the URL",
		"cosmos=https://127.0.0.1:1": "cannot reach Cosmos DB at https://127.0.0.1:1: start it, or correct the URL",
		"azure":                      "databases on Azure may cost money: confirm with --yes-spend",
	} {
		got := runCommand(t.Context(), nil, "features", "--target", target, "--report", t.TempDir())
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: --target "+target+": "+says) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%+v", got)
		}
	}
}

// TestInvalidTagsAreRefused checks that tags that select nothing are a usage error of one line.
func TestInvalidTagsAreRefused(t *testing.T) {
	t.Parallel()
	for tags, says := range map[string]string{
		"@TL-X9":          `no scenario has the tags "@TL-X9": see features/catalog for the IDs`,
		"@TL-P7 &&":       `"@TL-P7 &&": "&&" is not a tag: combine tags with "and", "or", "not" and parentheses, as in `,
		"@TL-P7 or @TL-X": `no scenario has the tags "@TL-X": `,
	} {
		got := runCommand(t.Context(), nil, "features", "--tags", tags, "--report", t.TempDir())
		if got.status != 2 || !strings.HasPrefix(got.stderr, "tabletop: --tags: "+says) ||
			strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%+v", got)
		}
	}
}
