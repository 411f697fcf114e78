//go:build browser

package console_test

import "testing"

// TestSpecs runs the scenarios of a requirement, reads the requests of one, and stops a run of all.
func TestSpecs(t *testing.T) {
	t.Parallel()
	b := openTabletop(t, "/specs", "emulator")
	b.sees("No results in", "TL-P1")
	b.fill("Filter", "TL-P1")
	b.misses("KF-P1")
	b.checkLooks("requirements")
	b.click("TL-P1")
	b.sees("No saved results yet")
	b.click("Run with requests")
	b.sees("0 failed", "Ended", "PASS")
	b.checkLooks("a requirement")
	b.click("A device registers for the first time, on the wire")
	b.sees("in the latest run", "Before the first step:", "PASS")
	b.click(until[[]string](b, "names", ".steps summary")[0])
	b.sees("Request")
	b.checkLooks("a scenario")
	b.visit("/specs")
	b.click("Run all scenarios")
	b.sees("All scenarios", "Running")
	b.click("Stop")
	b.sees("Stopped")
}
