//go:build browser

package console_test

import "testing"

// TestLoadTests runs two short load tests, one of them on this emulator, sees their reports, compares them, and stops a
// long one.
func TestLoadTests(t *testing.T) {
	t.Parallel()
	b := openTabletop(t, "/load", "emulator")
	b.sees("No runs yet", "1,000 to 10,000 devices")
	b.fill("Profile", "TL-L1")
	b.fill("Duration in seconds", "2")
	b.fill("Rate scale", "0.5")
	b.click("Start")
	b.sees("Running", "Another run is in progress.")
	b.sees("Ended", "on embedded")
	b.fill("Target", "This emulator, "+b.url)
	b.click("Start")
	b.sees("on url="+b.url, "Running")
	b.sees("Ended")
	b.click("Report")
	b.sees("TL-L1:", "limits passed", "not measured", "Run again", "Limits", "Requests by kind",
		"url="+b.url, "NOT MEASURED")
	b.checkLooks("a report of a load test")
	b.click("Load tests")
	b.compareAllRuns()
	b.sees("Compare two runs", "embedded, 20", "url="+b.url+", 20", "Latency p99, ms", "PASS", "Change", "%")
	b.checkLooks("a comparison")
	b.click(until[[]string](b, "names", "thead a")[1])
	b.sees("Limits")
	b.click("Run again")
	b.sees("on url="+b.url, "Running")
	b.sees("Ended")
	b.visit("/load")
	b.sees("Ended", "shortened")
	b.checkLooks("load tests")
	b.fill("Duration in seconds", "3600")
	b.click("Start")
	b.sees("Sending requests, 0%")
	b.click("Stop")
	b.sees("Stopped", "no report was written")
}

// compareAllRuns chooses each run of the list, and compares them.
func (b *browser) compareAllRuns() {
	b.t.Helper()
	b.sees("Choose two to compare them")
	for _, name := range until[[]string](b, "names", "input[type=checkbox]") {
		b.click(name)
	}
	b.click("Compare")
}

// TestPagesOfOtherCommands opens a page that only commands of tabletop have.
func TestPagesOfOtherCommands(t *testing.T) {
	t.Parallel()
	b := open(t, "/load")
	b.sees("This emulator was not started by a command that has this page", "run tabletop up.")
	b.checkLooks("a missing page")
}
