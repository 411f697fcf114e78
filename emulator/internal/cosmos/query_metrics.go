package cosmos

import (
	"fmt"
	"strings"
	"time"
)

// metrics are what the page took, as x-ms-documentdb-query-metrics has it: name=value;name=value.
func (q *documentQuery) metrics() string {
	total := float64(q.s.clock.Machine().Sub(q.began)) / float64(time.Millisecond)
	ratio := 1.0
	if q.reads.documents > 0 {
		ratio = min(1, float64(q.rows)/float64(q.reads.documents))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "totalExecutionTimeInMs=%.2f;queryCompileTimeInMs=0.00;queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;queryOptimizationTimeInMs=0.00;", total)
	fmt.Fprintf(&b, "VMExecutionTimeInMs=%.2f;indexLookupTimeInMs=0.00;documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;userFunctionExecuteTimeInMs=0.00;", total)
	fmt.Fprintf(&b, "retrievedDocumentCount=%d;retrievedDocumentSize=%d;outputDocumentCount=%d;outputDocumentSize=%d;writeOutputTimeInMs=0.00;indexUtilizationRatio=%.2f",
		q.reads.documents, q.reads.bytes, q.rows, q.reads.output, ratio)
	return b.String()
}
