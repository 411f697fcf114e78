package result

// LatencyOf returns the distribution of a histogram of microseconds.
func LatencyOf(h Histogram) Latency {
	if h.TotalCount() == 0 {
		return Latency{}
	}
	at := func(percent float64) float64 { return ms(h.ValueAtPercentile(percent)) }
	return Latency{Count: h.TotalCount(), Min: ms(h.Min()), Mean: h.Mean() / 1000, P50: at(50), P90: at(90), P95: at(95),
		P99: at(99), P999: at(99.9), Max: ms(h.Max())}
}

func ms(micros int64) float64 { return float64(micros) / 1000 }

// Spectrum returns the distribution up to the highest percentile that the number of requests supports.
func Spectrum(h Histogram) []Quantile {
	list := []Quantile{}
	for _, percent := range []float64{0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.75, 99.9, 99.95, 99.99, 99.999} {
		if float64(h.TotalCount())*(100-percent) >= 100 {
			list = append(list, Quantile{percent, ms(h.ValueAtPercentile(percent))})
		}
	}
	return list
}
