package export

import (
	"cmp"
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	interval = time.Second      // of a line of the log
	longest  = 10 * time.Minute // maximum latency; longer ones count as this
	digits   = 3
	ticks    = 5 // lines per halving of the distance to 100%, as in HdrHistogram's own tools
)

// latencies is one distribution, in total and by the interval in which the response arrived. Values are in nanoseconds,
// which the log's tools expect.
type latencies struct {
	percentiles io.Writer
	log         *hdrhistogram.HistogramLogWriter
	all, now    *hdrhistogram.Histogram
	ends        time.Time // end of the interval
}

func newLatencies(percentiles, log io.Writer) *latencies {
	h := func() *hdrhistogram.Histogram { return hdrhistogram.New(1, longest.Nanoseconds(), digits) }
	return &latencies{percentiles: percentiles, log: hdrhistogram.NewHistogramLogWriter(log), all: h(), now: h()}
}

func (l *latencies) begin(at time.Time) error {
	l.open(at)
	return cmp.Or(l.log.OutputLogFormatVersion(), l.log.OutputStartTime(at.UnixMilli()), l.log.OutputLegend())
}

// open begins an interval at the given time.
func (l *latencies) open(at time.Time) {
	l.now.Reset()
	l.ends = at.Add(interval)
	l.now.SetStartTimeMs(at.UnixMilli())
	l.now.SetEndTimeMs(l.ends.UnixMilli())
}

// add records the latency of a request that was answered at the given time. A result that arrives late counts in the
// open interval.
func (l *latencies) add(latency time.Duration, answered time.Time) error {
	var err error
	if !answered.Before(l.ends) {
		err = l.flush()
		l.open(l.ends.Add(answered.Sub(l.ends).Truncate(interval)))
	}
	nanos := min(max(latency.Nanoseconds(), 1), longest.Nanoseconds())
	return cmp.Or(err, l.all.RecordValue(nanos), l.now.RecordValue(nanos))
}

// flush logs the interval, unless it is empty.
func (l *latencies) flush() error {
	if l.now.TotalCount() == 0 {
		return nil
	}
	return l.log.OutputIntervalHistogram(l.now)
}

// end logs the last interval and writes the percentiles, in milliseconds.
func (l *latencies) end() error {
	_, err := l.all.PercentilesPrint(l.percentiles, ticks, float64(time.Millisecond))
	return cmp.Or(l.flush(), err)
}
