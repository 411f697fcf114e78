package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// metric is a figure of a report that a limit can name.
type metric struct {
	unit                 string
	scalesWithRate       bool // scales with the rate of the run
	scalesWithPopulation bool // grows with the population, or with how much of a resource is used
	value                func(*result.Report) (value float64, measured bool)
	remark               func(*result.Report) string

	countsFailures bool // it counts failures

	needsSizes  bool   // it needs the sizes of the stored data
	notMeasured string // the reason why it may be missing; default: the target does not report it
	isCost      bool   // it is the monthly cost of the limit's entry; value and remark are nil
}

// isTime reports whether the metric measures latency or rate.
func (m metric) isTime() bool { return m.unit == "ms" || m.isRate() }

// isRate reports whether the metric measures a rate.
func (m metric) isRate() bool { return m.scalesWithRate || m.unit == ofPlannedRate }

// number returns the function that formats the metric's values.
func (m metric) number() func(float64) string {
	if m.isCost {
		return func(dollars float64) string { return cost.FromFloat(dollars).Dollars() }
	}
	return number
}

// ofPlannedRate is the unit of a rate relative to the planned rate.
const ofPlannedRate = "of the planned rate"

// metrics returns the metrics, by the names that a profile's limits use.
func metrics() map[string]metric {
	all := map[string]metric{
		"p50_ms": ofAllRequests(func(l result.Latency) float64 { return l.P50 }),
		"p99_ms": ofAllRequests(func(l result.Latency) float64 { return l.P99 }),
		"max_ms": ofAllRequests(func(l result.Latency) float64 { return l.Max }),
		"write_p99_ms": {unit: "ms", notMeasured: tooFewRequests, value: func(r *result.Report) (float64, bool) {
			return worstP99(r, func(k profile.Kind) bool { return k.Writes })
		}},
		"read_p99_ms": {unit: "ms", notMeasured: tooFewRequests, value: func(r *result.Report) (float64, bool) {
			return worstP99(r, func(k profile.Kind) bool { return !k.Writes && !k.Index })
		}},
		"index_p99_ms": {unit: "ms", notMeasured: tooFewRequests, value: func(r *result.Report) (float64, bool) {
			return worstP99(r, func(k profile.Kind) bool { return k.Index })
		}},
		"added_p99_ms": {unit: "ms", value: addedP99, remark: addedRemark,
			notMeasured: "needs 500+ requests and a backend started by this run"},
		"error_share": {countsFailures: true, value: always(func(r *result.Report) float64 {
			return share(r.Errors, r.Requests)
		}), remark: firstError},
		"rate_share": {unit: ofPlannedRate, value: always(rateShare)},
		"write_requests_per_second": {unit: "requests/s", scalesWithRate: true, value: always(func(r *result.Report) float64 {
			return rateOf(r, func(k profile.Kind) bool { return k.Writes })
		})},
		"read_requests_per_second": {unit: "requests/s", scalesWithRate: true, value: always(func(r *result.Report) float64 {
			return rateOf(r, func(k profile.Kind) bool { return !k.Writes })
		})},
		"write_units_per_second": {unit: "write units/s", scalesWithRate: true, value: writeUnits},
		"read_units_per_second":  {unit: "read units/s", scalesWithRate: true, value: readUnits},
		"month_dollars":          {unit: "per month", isCost: true},
		"unprocessed_items": {unit: "items", countsFailures: true, value: always(func(r *result.Report) float64 {
			return float64(r.Unprocessed)
		})},
	}
	for _, more := range []map[string]metric{telemetryMetrics(), sizeMetrics(), heatMetrics(), unitMetrics(),
		durabilityMetrics()} {
		maps.Copy(all, more)
	}
	return all
}

// NeedsSizes reports whether a limit needs the sizes of the stored data.
func NeedsSizes(r *result.Report) bool {
	all := metrics()
	return slices.ContainsFunc(r.Profile.Limits, func(l profile.Limit) bool {
		m := all[l.Metric]
		return m.needsSizes || m.isCost
	})
}

func always(f func(*result.Report) float64) func(*result.Report) (float64, bool) {
	return func(r *result.Report) (float64, bool) { return f(r), true }
}

// optional returns the value of an optional number, and false if it is nil.
func optional(n *int64) (float64, bool) {
	if n == nil {
		return 0, false
	}
	return float64(*n), true
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 1 // a run without requests proves nothing
	}
	return float64(part) / float64(whole)
}

// rateShare returns the successful requests per second, until the last response, relative to the planned rate.
func rateShare(r *result.Report) float64 {
	if r.Profile.Requests() == 0 {
		return 0
	}
	return r.Throughput / (float64(r.Profile.Requests()) / r.Profile.Duration().Seconds())
}

// charged returns what a table or index was charged. It compares the end of the table's name, because tables have a
// prefix.
func charged(r *result.Report, table, index string) (result.Consumed, bool) {
	i := slices.IndexFunc(r.Consumed, func(c result.Consumed) bool {
		return strings.HasSuffix(c.Table, table) && c.Index == index
	})
	if i < 0 {
		return result.Consumed{}, false
	}
	return r.Consumed[i], true
}

// writeUnits returns the write units that all tables and indexes were charged.
func writeUnits(r *result.Report) (units float64, measured bool) {
	for _, c := range r.Consumed {
		units += c.WritesPerSecond
	}
	return units, len(r.Consumed) > 0
}

// readUnits returns the read units that all tables and indexes were charged.
func readUnits(r *result.Report) (units float64, measured bool) {
	for _, c := range r.Consumed {
		units += c.ReadsPerSecond
	}
	return units, len(r.Consumed) > 0
}

// rateOf returns the successful requests per second of some kinds of request, until the last response.
func rateOf(r *result.Report, of func(profile.Kind) bool) (rate float64) {
	for _, k := range r.Kinds {
		if of(r.Profile.Kind(k.Request)) {
			rate += float64(k.Requests-k.Errors) / float64(max(r.Requests-r.Errors, 1)) * r.Throughput
		}
	}
	return rate
}

// ofAllRequests returns the metric of a figure of the latency of all requests, which warm-up stages do not have.
func ofAllRequests(figure func(result.Latency) float64) metric {
	return metric{unit: "ms", notMeasured: "needs a request outside warm-up stages",
		value: func(r *result.Report) (float64, bool) { return figure(r.Latency), r.Latency.Count > 0 }}
}

// worstP99 returns the highest p99 of some kinds of request.
func worstP99(r *result.Report, of func(profile.Kind) bool) (p99 float64, known bool) {
	var timed int64
	for _, k := range r.Kinds {
		if of(r.Profile.Kind(k.Request)) {
			p99 = max(p99, k.Latency.P99)
			timed += k.Latency.Count
		}
	}
	return p99, timed >= minRequestsForP99
}

// tooFewRequests is the reason why a p99 is not measured.
const tooFewRequests = "needs 500+ requests"

// minRequestsForP99 is the minimum number of requests for a meaningful p99: with 100 it is just the slowest one.
const minRequestsForP99 = 500

func addedP99(r *result.Report) (float64, bool) {
	var counted int64
	for _, k := range r.Kinds {
		counted += max(0, k.Metered-result.WarmUp)
	}
	if r.Overhead == nil {
		return 0, false
	}
	return r.Overhead.P99, counted >= minRequestsForP99
}

// addedRemark names the kind of request with the highest backend overhead.
func addedRemark(r *result.Report) string {
	text, most := "", 0.0
	for _, k := range r.Kinds {
		if k.Overhead != nil && k.Overhead.P99 > most {
			text, most = fmt.Sprintf("highest for %s: p50 %.2f ms, p99 %.2f ms", k.Request, k.Overhead.P50, k.Overhead.P99),
				k.Overhead.P99
		}
	}
	return text
}

func firstError(r *result.Report) string {
	worst := ""
	for text, n := range r.ErrorTexts {
		if n > r.ErrorTexts[worst] || n == r.ErrorTexts[worst] && text < worst {
			worst = text
		}
	}
	return worst
}

// ShowsOverload reports whether a failed limit on a metric shows that the target cannot handle more load.
func ShowsOverload(metric string) bool { m := metrics()[metric]; return m.isTime() || m.countsFailures }
