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
	b.sees("Run of 20", "Before the first step:", "PASS")
	b.click(until[[]string](b, "names", ".steps summary")[0])
	b.sees("Request")
	b.checkLooks("a scenario")
	b.visit("/specs")
	b.click("Run all scenarios")
	b.sees("All scenarios", "Running")
	b.click("Stop")
	b.sees("Stopped", "Run again")
	b.sees("TL-P1 PASS Ended", "All scenarios NOT MEASURED Stopped")
	b.checkLooks("the runs")
	b.click(until[[]string](b, "names", "[aria-label=Runs] tbody tr:last-child a")[0])
	b.sees("Run of 20", "TL-P1 PASS Ended", "Run again")
	b.click("A device registers for the first time, on the wire")
	b.sees("Before the first step:")
	b.click(until[[]string](b, "names", ".crumbs a:last-child")[0])
	b.sees("0 failed")
	b.checkLooks("an earlier run")
}
