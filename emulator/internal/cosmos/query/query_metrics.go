package query

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// durations are the times spent in the parts of a page, on the machine's clock. They are measured only if the request
// asks for metrics.
type durations struct{ parse, compile, plan, run, lookup, load, write time.Duration }

// tick returns the current time if the request asks for metrics, otherwise the zero time.
func (q *DocumentQuery) tick() (now time.Time) {
	if q.timed {
		now = q.Account.Clock.Machine()
	}
	return now
}

// tock adds the time since a tick.
func (q *DocumentQuery) tock(to *time.Duration, since time.Time) {
	if q.timed {
		*to += q.Account.Clock.Machine().Sub(since)
	}
}

// metrics returns the value of x-ms-documentdb-query-metrics: name=value;name=value. Functions are not timed
// separately, and there is no query optimization. Measured times are at least 0.01 ms, and the execution takes longer
// than the sum of its parts: tests of the Java SDK reject zero times, and clients subtract the parts.
func (q *DocumentQuery) metrics() string {
	ratio := 1.0
	if q.reads.Documents > 0 {
		ratio = min(1, float64(q.reads.Matched)/float64(q.reads.Documents))
	}
	lookup, load, write := hundredths(q.took.lookup), hundredths(q.took.load), hundredths(q.took.write)
	execution := max(hundredths(q.took.run+q.took.write), lookup+load+write+hundredth)
	var b strings.Builder
	for _, m := range []struct {
		name string
		took float64
	}{
		{"totalExecution", max(hundredths(q.Account.Clock.Machine().Sub(q.Began)), execution)},
		{"queryCompile", hundredths(q.took.parse)}, {"queryLogicalPlanBuild", hundredths(q.took.compile)},
		{"queryPhysicalPlanBuild", hundredths(q.took.plan)}, {"queryOptimization", 0}, {"VMExecution", execution},
		{"indexLookup", lookup}, {"documentLoad", load}, {"systemFunctionExecute", 0}, {"userFunctionExecute", 0},
	} {
		fmt.Fprintf(&b, "%sTimeInMs=%.2f;", m.name, m.took)
	}
	fmt.Fprintf(
		&b, "retrievedDocumentCount=%d;retrievedDocumentSize=%d;outputDocumentCount=%d;outputDocumentSize=%d;writeOutputTimeInMs=%.2f;indexUtilizationRatio=%.2f",
		q.reads.Documents, q.reads.Bytes, q.rows, q.reads.Output, write, ratio)
	return b.String()
}

// hundredth is the smallest reported time in milliseconds.
const hundredth = 0.01

// hundredths returns a time in milliseconds, rounded up to the next hundredth.
func hundredths(took time.Duration) float64 {
	return math.Ceil(max(0, took.Seconds())*100_000) / 100
}
