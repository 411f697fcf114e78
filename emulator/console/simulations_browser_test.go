//go:build browser

package console_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// TestSimulations sees a refused parameter, runs a small simulation to its end, and starts a fleet on the running
// backend, whose counters rise until it is stopped and read back.
func TestSimulations(t *testing.T) {
	t.Parallel()
	b := openTabletop(t, "/simulations", "up", "--devices", "1", "--systems", "telemetry,devicetoken")
	b.sees("Run a simulation", "Number of simulated devices, 1 to 10000.")
	b.fill("Simulation", "phones")
	b.sees("Users", "Number of users, 1 to 10000", "Lost responses")
	b.fill("Users", "0")
	b.click("Start")
	b.sees("--users cannot be 0: omit it to use the default")
	b.checkLooks("a refused parameter of a simulation")
	b.fill("Users", "2")
	b.fill("Duration", "72h")
	b.click("Start")
	b.sees("2 users with", "responses lost", "PASS: every device is as expected", "Ended", "Runs")
	b.misses("Stop")
	b.fill("Simulation", "fleet")
	b.fill("Devices", "3")
	b.fill("Speed", "3600")
	b.click("Start")
	b.sees("Running", "Another simulation is in progress.")
	before := b.stored()
	await.True(t, "the counters rise", func() bool { return b.stored() > before+10 })
	b.checkLooks("a simulation")
	b.click("Stop")
	b.sees("Stopped", "PASS: every reading was stored exactly once and unchanged")
	b.visit("/simulations")
	b.sees("Stopped", "3 devices,")
	b.checkLooks("simulations that have ended")
}

// stored returns how many readings the latest simulation has stored, as the page shows it.
func (b *browser) stored() int {
	text := b.evaluate(`[...document.querySelectorAll("[aria-labelledby=simulation-current] dt")]
		.find((dt) => dt.textContent === "Readings stored")?.nextSibling.textContent ?? "0"`)
	n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	b.must(err)
	return n
}
