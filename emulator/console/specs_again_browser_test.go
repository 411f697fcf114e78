//go:build browser

package console_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestSpecsRunAgain runs one scenario from its requirement and from the page of its results, and the failed scenarios
// of an earlier run.
func TestSpecsRunAgain(t *testing.T) {
	t.Parallel()
	reports := t.TempDir()
	saveFailedRun(t, reports)
	b := openTabletop(t, "/specs/TL-P3", "emulator", "--reports", reports)
	b.sees("No saved results yet", "A device that never registered is not found")
	b.click("Run this scenario: A device that never registered is not found")
	b.sees("1 of 1 scenarios, 0 failed", "Ended", "PASS See its requests")
	b.checkLooks("a requirement whose scenario ran")
	b.click("See its requests")
	b.sees("Before the first step:", "features/telemetry/registration.feature:32")
	b.click("Run this scenario")
	b.sees("Run of 20", "1 of 1 scenarios, 0 failed", "A device that never registered is not found PASS Ended")

	b.visit("/specs/runs/20260101T000000.000Z")
	b.sees("TL-P3 FAIL Ended", "3 of 3 scenarios, 2 failed")
	b.checkLooks("a run with failures")
	b.click("Run failed ones again")
	b.sees("Failed scenarios of the run of 2026-01-01 00:00:00 UTC PASS Ended", "2 of 2 scenarios, 0 failed",
		"A device is looked up by its hardware address", "A device that never registered is not found")
	b.misses("on the wire")
	b.misses("Run failed ones again")
	b.visit("/specs")
	b.sees("Failed scenarios of the run of 2026-01-01 00:00:00 UTC", "A device that never registered is not found")
	b.checkLooks("the runs of selected scenarios")
}

// saveFailedRun saves a run of the console in which two of three scenarios failed.
func saveFailedRun(t *testing.T, reports string) {
	t.Helper()
	folder := filepath.Join(reports, "console-specs", "20260101T000000.000Z")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for i, s := range []struct{ file, name, outcome string }{
		{"registration.feature", "A device is looked up by its hardware address", "failed"},
		{"registration.wire.feature", "A device is looked up by its hardware address, on the wire", "passed"},
		{"registration.feature", "A device that never registered is not found", "failed"},
	} {
		all = append(all, map[string]any{"number": i, "system": "telemetry", "file": s.file, "name": s.name,
			"outcome": s.outcome, "ids": []string{"TL-P3"}, "steps": []string{}})
	}
	run := map[string]any{"id": filepath.Base(folder), "request": map[string]any{"id": "TL-P3"}, "state": "ended",
		"started": "2026-01-01T00:00:00Z", "done": 3, "failed": 2, "total": 3, "scenarios": all}
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "run.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, "scenarios.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(f)
	if err := json.NewEncoder(zip).Encode(all); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
