package cloudwatch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestMissingData checks the service's documented examples of how alarms treat missing data.
func TestMissingData(t *testing.T) {
	t.Parallel()
	datadriven.RunTest(t, "testdata/missing/documented", func(t *testing.T, d *datadriven.TestData) string {
		var n, m int
		d.ScanArgs(t, "n", &n)
		d.ScanArgs(t, "m", &m)
		var b strings.Builder
		for line := range strings.Lines(d.Input) {
			var samples []sample
			for _, mark := range strings.Fields(line) {
				samples = append(samples, sample{known: mark != "-", breaches: mark == "X"})
			}
			fmt.Fprintf(&b, "%s:", strings.TrimSpace(line))
			for _, treatment := range []string{"missing", "ignore", "breaching", "notBreaching"} {
				v := evaluateSamples(samples, n, m, treatment, "current")
				fmt.Fprintf(&b, " %s %s", treatment, v.state)
			}
			fmt.Fprintf(&b, " filled %d\n", evaluateSamples(samples, n, m, "missing", "").filled)
		}
		return b.String()
	})
}

func TestNumbersAreWrittenAsTheServiceDoes(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]string{0: "0.0", 1: "1.0", 38.958: "38.958", -2.5: "-2.5", 12345678: "1.2345678E7",
		1e10: "1.0E10", 0.0005: "5.0E-4", 9999999: "9999999.0"} {
		if got := javaNumber(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
