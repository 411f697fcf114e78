package usage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Usage is what a Meter measured. The usage of several meters can be added. Its zero value is empty.
type Usage struct {
	Resources map[resource]*resourceUsage `json:"resources,omitempty"`
	Kinds     map[string]*kindUsage       `json:"kinds,omitempty"` // by kind of request
}

// resource is a table or an index that is charged for capacity. index is empty for the table itself.
type resource struct{ table, index string }

// MarshalText returns the names of the table and the index, separated by a slash, which neither contains.
func (r resource) MarshalText() ([]byte, error) { return []byte(r.table + "/" + r.index), nil }

// UnmarshalText reads what MarshalText returned.
func (r *resource) UnmarshalText(text []byte) error {
	var found bool
	if r.table, r.index, found = strings.Cut(string(text), "/"); !found {
		return fmt.Errorf("%q is not TABLE/INDEX", text)
	}
	return nil
}

// resourceUsage is the capacity that a resource was charged.
type resourceUsage struct {
	Calls   int64           `json:"calls"`
	Seconds map[int64]units `json:"seconds"` // by Unix time
}

// units are read and write units.
type units struct {
	Reads  float64 `json:"r,omitempty"`
	Writes float64 `json:"w,omitempty"`
}

// kindUsage is the sum over all requests of one kind.
type kindUsage struct {
	Requests     int64            `json:"requests"`
	Reads        float64          `json:"read_units"`
	Writes       float64          `json:"write_units"`
	RequestUnits float64          `json:"request_units"`
	Paths        map[string]int64 `json:"paths"`    // database calls, by access path
	Overhead     result.Histogram `json:"overhead"` // microseconds
}

// charge adds units to a resource. It ignores 0 units, which a table has if only an index of it was read.
func (u *Usage) charge(p resource, reads bool, n float64, now time.Time) {
	if n == 0 {
		return
	}
	of := u.resource(p)
	of.Calls++
	second := of.Seconds[now.Unix()]
	if reads {
		second.Reads += n
	} else {
		second.Writes += n
	}
	of.Seconds[now.Unix()] = second
}

func (u *Usage) resource(p resource) *resourceUsage {
	if u.Resources == nil {
		u.Resources = map[resource]*resourceUsage{}
	}
	if u.Resources[p] == nil {
		u.Resources[p] = &resourceUsage{Seconds: map[int64]units{}}
	}
	return u.Resources[p]
}

// kind returns the sum of a kind of request.
func (u *Usage) kind(name string) *kindUsage {
	if u.Kinds == nil {
		u.Kinds = map[string]*kindUsage{}
	}
	if u.Kinds[name] == nil {
		u.Kinds[name] = &kindUsage{Overhead: result.NewHistogram(3), Paths: map[string]int64{}}
	}
	return u.Kinds[name]
}

// Add adds the usage that another meter measured.
func (u *Usage) Add(other Usage) {
	for p, used := range other.Resources {
		of := u.resource(p)
		of.Calls += used.Calls
		for at, n := range used.Seconds {
			sum := of.Seconds[at]
			of.Seconds[at] = units{sum.Reads + n.Reads, sum.Writes + n.Writes}
		}
	}
	for name, used := range other.Kinds {
		of := u.kind(name)
		of.Requests += used.Requests
		of.Reads, of.Writes = of.Reads+used.Reads, of.Writes+used.Writes
		of.RequestUnits += used.RequestUnits
		for path, n := range used.Paths {
			of.Paths[path] += n
		}
		of.Overhead.Add(used.Overhead)
	}
}

// trimPrefix removes the prefix of the names of tables from the access paths.
func (u *Usage) trimPrefix(prefix string) {
	if prefix == "" {
		return
	}
	for _, k := range u.Kinds {
		trimmed := map[string]int64{}
		for path, n := range k.Paths {
			trimmed[strings.ReplaceAll(path, prefix, "")] += n
		}
		k.Paths = trimmed
	}
}

// Consumed returns the consumed capacity, with averages over this many seconds, sorted by table and index.
func (u *Usage) Consumed(seconds float64) []result.Consumed {
	list := []result.Consumed{}
	for p, of := range u.Resources {
		one := result.Consumed{Table: p.table, Index: p.index, Calls: of.Calls}
		for _, n := range of.Seconds {
			one.ReadUnits, one.WriteUnits = one.ReadUnits+n.Reads, one.WriteUnits+n.Writes
			one.ReadPeak, one.WritePeak = max(one.ReadPeak, n.Reads), max(one.WritePeak, n.Writes)
		}
		one.ReadsPerSecond, one.WritesPerSecond = one.ReadUnits/seconds, one.WriteUnits/seconds
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b result.Consumed) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
	})
	return list
}

// AddTo adds the measurements of each kind of request to a report.
func (u *Usage) AddTo(r *result.Report) {
	all := result.NewHistogram(3)
	for i := range r.Kinds {
		k := &r.Kinds[i]
		v := u.Kinds[k.Request]
		if v == nil {
			continue
		}
		k.Metered, k.ReadUnits, k.WriteUnits, k.RequestUnits = v.Requests, v.Reads, v.Writes, v.RequestUnits
		k.Calls = v.calls()
		if v.Overhead.TotalCount() > 0 {
			added := result.LatencyOf(v.Overhead)
			k.Overhead = &added
			all.Add(v.Overhead)
		}
	}
	if all.TotalCount() > 0 {
		added := result.LatencyOf(all)
		r.Overhead = &added
	}
}

// calls returns the access paths of a kind of request, in order.
func (k *kindUsage) calls() []result.Call {
	var list []result.Call
	for path, n := range k.Paths {
		list = append(list, result.Call{Path: path, Times: float64(n) / float64(k.Requests)})
	}
	slices.SortFunc(list, func(a, b result.Call) int { return strings.Compare(a.Path, b.Path) })
	return list
}
