package advice

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// lostUpdate finds programs that read an item, change it, and write it back without a condition: what another program
// writes in between is lost. That a write depends on what was read shows when nearly all writes of this kind follow a
// read of the same item, and write back most of it, or a number that always differs by the same amount, or a list with
// more elements. Writes of new values, such as a state that a device reports, do not depend on what was read.
var lostUpdate = Rule{
	ID:    "lost-update",
	Title: "items that are read, changed and written back without a condition",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/" +
		"BestPractices_ImplementingVersionControl.html",
	watch: func(v *Review) watcher {
		return dynamoDB{&rewrites{review: v, reads: map[string]*readItem{}, known: map[string]bool{},
			of: map[string]*rewritten{}}}
	},
}

// Writes become a finding when so many depend on a read, and this share of all of the same kind.
const (
	fewRewrites    = 3
	fewSteps       = 5 // that change a number by the same amount
	derivedPercent = 90
	readBefore     = time.Second // a read that is older has nothing to do with the write
	maxReads       = 10000       // that are remembered
	maxKnown       = 100000      // items that are remembered
	firstTimestamp = 1e9         // numbers from here on may be times, in seconds since 1970
)

type rewrites struct {
	review *Review
	reads  map[string]*readItem  // by caller, table and key: the last read, before the caller's next write
	known  map[string]bool       // by table and key: items that exist, as far as they were seen
	of     map[string]*rewritten // by table, kind and attribute
}

// readItem is an item as a caller read it.
type readItem struct {
	item map[string]any
	by   *Request
}

// rewritten is the unconditional writes of one kind.
type rewritten struct {
	finding   Finding
	attribute string // of an update
	writes    int    // all, including those that do not depend on a read
	step      string // by which a number changes; "" if nothing was seen, or if it is a list or an item
	uneven    bool   // steps differ
}

func (s *rewrites) see(r *Request) {
	if !r.Done() {
		return
	}
	s.remember(r)
	for i := range r.accesses {
		a := &r.accesses[i]
		if a.kind != "Put" && a.kind != "Update" {
			continue
		}
		id := r.caller() + a.table + a.key
		read := s.reads[id]
		delete(s.reads, id)
		if read != nil && r.Time.Sub(read.by.Time) > readBefore {
			read = nil
		}
		if (r.Operation == "PutItem" || r.Operation == "UpdateItem") && !a.conditional() {
			s.note(r, a, read)
		}
		s.knows(a.table + a.key)
	}
}

// remember notes the items that a request returns.
func (s *rewrites) remember(r *Request) {
	switch r.Operation {
	case "GetItem":
		s.rememberItem(r, r.table(), object(r.Result["Item"]))
	case "Query":
		for _, item := range list(r.Result["Items"]) {
			s.rememberItem(r, r.table(), object(item))
		}
	case "BatchGetItem":
		for table, items := range object(r.Result["Responses"]) {
			for _, item := range list(items) {
				s.rememberItem(r, tableName(table), object(item))
			}
		}
	}
}

func (s *rewrites) rememberItem(r *Request, table string, item map[string]any) {
	if len(item) == 0 {
		return
	}
	if len(s.reads) >= maxReads {
		clear(s.reads)
	}
	key := table + jsonText(s.review.keyIn(table, item))
	s.reads[r.caller()+key] = &readItem{item, r}
	s.knows(key)
}

// knows notes that an item exists.
func (s *rewrites) knows(key string) {
	if len(s.known) >= maxKnown {
		clear(s.known)
	}
	s.known[key] = true
}

// note notes an unconditional write. read is what its caller read before; nil if it read nothing.
func (s *rewrites) note(r *Request, a *access, read *readItem) {
	if a.kind == "Put" {
		t := s.kind(a, "")
		if s.known[a.table+a.key] { // otherwise it may be a new item
			t.writes++
		}
		if read == nil {
			return
		}
		if changed := s.changedFew(a, read.item); len(changed) > 0 {
			t.finding.show(r, fmt.Sprintf("puts the item that #%d read, with another %s", read.by.N, strings.Join(changed, ", ")))
		}
		return
	}
	text, _ := a.part["UpdateExpression"].(string)
	for _, each := range assignments(text) {
		value := object(object(a.part["ExpressionAttributeValues"])[each.value])
		if each.clause == "SET" && value != nil {
			s.noteSet(r, a, withNames(a.part, each.path), value, read)
		}
	}
}

// noteSet notes that an update sets an attribute to a value.
func (s *rewrites) noteSet(r *Request, a *access, attribute string, value map[string]any, read *readItem) {
	t := s.kind(a, attribute)
	if read == nil {
		t.writes++
		return
	}
	old := object(read.item[attribute])
	if old == nil {
		return // it is new
	}
	t.writes++
	if step, ok := stepOf(old, value); ok {
		t.uneven = t.uneven || t.step != "" && t.step != step
		t.step = step
		t.finding.show(r, fmt.Sprintf("sets %s to %v, after #%d read %v", attribute, value["N"], read.by.N, old["N"]))
	} else if appended(list(old["L"]), list(value["L"])) {
		t.finding.show(r, fmt.Sprintf("sets %s to the list that #%d read and more", attribute, read.by.N))
	}
}

func (s *rewrites) kind(a *access, attribute string) *rewritten {
	id := a.table + "\x00" + a.kind + "\x00" + attribute
	t := s.of[id]
	if t == nil {
		t = &rewritten{finding: Finding{Table: a.table}, attribute: attribute}
		s.of[id] = t
	}
	return t
}

// changedFew returns the attributes that a put has in common with the item that was read, but with another value, if
// more attributes besides the key are the same: at least two.
func (s *rewrites) changedFew(put *access, read map[string]any) (changed []string) {
	key, same := s.review.keyIn(put.table, put.item), 0
	for _, name := range slices.Sorted(maps.Keys(put.item)) {
		switch {
		case key[name] != nil || read[name] == nil:
		case jsonText(read[name]) == jsonText(put.item[name]):
			same++
		default:
			changed = append(changed, name)
		}
	}
	if same < 2 || same <= len(changed) {
		return nil
	}
	return changed
}

// stepOf returns by how much a number changes. ok is false for other values, for times, and if it stays the same.
func stepOf(old, value map[string]any) (step string, ok bool) {
	before, err := strconv.ParseFloat(fmt.Sprint(old["N"]), 64)
	after, err2 := strconv.ParseFloat(fmt.Sprint(value["N"]), 64)
	if err != nil || err2 != nil || before == after || max(before, after) >= firstTimestamp {
		return "", false
	}
	return strconv.FormatFloat(after-before, 'g', 6, 64), true
}

// appended reports whether a list is another one with further elements.
func appended(before, after []any) bool {
	return len(before) > 0 && len(after) > len(before) && jsonText(before) == jsonText(after[:len(before)])
}

func (s *rewrites) conclude() []Finding {
	var all []Finding
	for _, t := range ordered(s.of) {
		f, few := t.finding, fewRewrites
		if t.step != "" {
			few = fewSteps
		}
		if f.Times < few || t.uneven || f.Times*100 < t.writes*derivedPercent {
			continue
		}
		what, remedy := "write back an item", "Add a condition to the write that fails if the item has changed since it was "+
			"read, such as ConditionExpression version = :read, and read it again then"
		if t.attribute != "" {
			what = "write back " + t.attribute
			remedy = fmt.Sprintf("Let DynamoDB compute the new value: SET %[1]s = %[1]s + :change", t.attribute)
			if t.step == "" {
				remedy = fmt.Sprintf("Let DynamoDB append: SET %[1]s = list_append(%[1]s, :more)", t.attribute)
			}
		}
		f.Problem = fmt.Sprintf("%d writes %s after a read, without a condition: changes in between are lost", f.Times, what)
		f.Remedy = remedy
		all = append(all, f)
	}
	return all
}
