package advice

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/cost"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// markerWithoutTTL finds markers that make requests happen once, and which stay forever: items that are put unless they
// exist, together with an update that must not be done twice or under a name that says so, and never used otherwise, in
// a table without TTL. Items that keep a name unique look alike, but must stay: they are put together with what has the
// name, and not with an update that adds.
var markerWithoutTTL = Rule{
	ID:     "marker-without-ttl",
	Title:  "markers of done requests that never expire",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html",
	watch: func(v *Review) watcher {
		m := &markers{review: v, known: map[string]bool{}, of: map[string]*marked{}}
		for name := range v.Tables {
			m.known[name] = true
		}
		return dynamoDB{m}
	},
}

// Markers become a finding when there are several of the same shape.
const (
	manyMarkers      = 20
	maxMarkerKeys    = 10000 // that are remembered
	markerAttributes = 5     // at most
	itemOverhead     = 100   // bytes of storage of each item, besides its content
)

// markerName matches names of tables, keys and attributes of markers.
var markerName = lazyregexp.New(`(?i)idempoten|dedup|nonce|marker`)

type markers struct {
	review *Review
	known  map[string]bool    // tables of which is known whether they have TTL: described before, or created
	of     map[string]*marked // by table and shape
}

// marked is the markers of one shape.
type marked struct {
	finding Finding
	keys    map[string]bool
	used    int // in another way than to be put unless they exist
	bytes   int
}

func (m *markers) see(r *Request) {
	if !r.Done() {
		return
	}
	if r.Operation == "CreateTable" {
		m.known[r.table()] = true
	}
	for i := range r.accesses {
		if a := &r.accesses[i]; m.isMarker(r, a) {
			m.note(r, a)
		} else {
			m.use(a.table, a.key)
		}
	}
	for _, each := range list(r.Result["Items"]) {
		if table, _ := r.source(); m.has(table) {
			m.use(table, jsonText(m.review.keyIn(table, object(each))))
		}
	}
}

// isMarker reports whether an access puts a small item unless it exists, for the sake of something else.
func (m *markers) isMarker(r *Request, a *access) bool {
	t := m.review.Tables[a.table]
	if a.kind != "Put" || t == nil || len(a.item) > markerAttributes || t.Key.Partition == "" {
		return false
	}
	condition := expression(a.part, "ConditionExpression")
	if condition != "attribute_not_exists("+t.Key.Partition+")" &&
		condition != "attribute_not_exists("+t.Key.Sort+")" {
		return false
	}
	names := slices.Sorted(maps.Keys(a.item))
	return markerName.MatchString(a.table+" "+a.key+" "+strings.Join(names, " ")) ||
		slices.ContainsFunc(r.accesses, func(other access) bool { return accumulates(other.part) })
}

func (m *markers) note(r *Request, a *access) {
	id := a.table + "\x00" + strings.Join(slices.Sorted(maps.Keys(a.item)), " ")
	t := m.of[id]
	if t == nil {
		t = &marked{finding: Finding{Table: a.table}, keys: map[string]bool{}}
		m.of[id] = t
	}
	if len(t.keys) < maxMarkerKeys {
		t.keys[a.key] = true
	}
	t.bytes += itemBytes(a.item) + itemOverhead
	t.finding.show(r, "puts the marker "+a.key)
}

func (m *markers) has(table string) bool {
	for _, t := range m.of {
		if t.finding.Table == table {
			return true
		}
	}
	return false
}

// use notes that an item is read or changed.
func (m *markers) use(table, key string) {
	for _, t := range m.of {
		if t.finding.Table == table && t.keys[key] {
			t.used++
		}
	}
}

func (m *markers) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(m.of) {
		f := t.finding
		if f.Times < manyMarkers || t.used > 0 || !m.known[f.Table] || m.review.Tables[f.Table].TTL != "" {
			continue
		}
		f.Problem = fmt.Sprintf("%d items only mark that a request was done, and the table has no TTL that deletes them", f.Times)
		f.Monthly = m.review.monthly(cost.Storage, float64(t.bytes)/(1<<30))
		f.Remedy = "Give each marker an attribute expiresAt, in seconds since 1970, after which no repetition can come, and run\n" +
			"aws dynamodb update-time-to-live --table-name " + f.Table +
			" --time-to-live-specification Enabled=true,AttributeName=expiresAt"
		all = append(all, f)
	}
	return all
}
