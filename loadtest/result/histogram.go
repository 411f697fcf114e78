package result

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Histogram is a histogram of latencies in microseconds. As text it has HdrHistogram's compressed encoding, version 2,
// in base64. Its zero value is invalid; use NewHistogram.
type Histogram struct{ *hdrhistogram.Histogram }

// NewHistogram returns a histogram of latencies from a microsecond to ten minutes, with this number of significant
// digits.
func NewHistogram(digits int) Histogram {
	return Histogram{hdrhistogram.New(1, (10 * time.Minute).Microseconds(), digits)}
}

// Record records a latency, limited to the longest that the histogram holds.
func (h Histogram) Record(micros int64) {
	_ = h.RecordValue(min(micros, h.HighestTrackableValue())) // cannot fail: the value is within the range
}

// Add adds the counts of another histogram with the same range and number of digits. Nothing is rounded.
func (h Histogram) Add(other Histogram) { h.Merge(other.Histogram) }

// MarshalText returns the encoded histogram.
func (h Histogram) MarshalText() ([]byte, error) {
	return h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
}

// UnmarshalText reads an encoded histogram.
func (h *Histogram) UnmarshalText(text []byte) (err error) {
	h.Histogram, err = hdrhistogram.Decode(text)
	return err
}
