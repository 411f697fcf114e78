package explore

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Target is a group of requests that a program sends: an operation on a table.
type Target struct {
	Operation string `json:"operation"`
	Table     string `json:"table,omitempty"` // or container; empty: the operation names none
}

func (t Target) String() string {
	if t.Table == "" {
		return t.Operation
	}
	return t.Operation + " of " + t.Table
}

// Mishap is what happens to one request.
type Mishap struct {
	Target
	Nth int  `json:"nth"` // which request of the target in a run, from 1
	Do  Kind `json:"do"`
}

// String describes what happens, such as: the response to the 2nd UpdateItem of orders is lost after the commit.
func (m Mishap) String() string {
	request := "the " + ordinal(m.Nth) + " " + m.Target.String()
	for _, k := range kindsInOrder {
		if k.kind == m.Do {
			return fmt.Sprintf(k.effect, request)
		}
	}
	return string(m.Do) + " of " + request
}

// text returns the mishap as KIND OPERATION NTH TABLE, with the table encoded as in a URL.
func (m Mishap) text() string {
	return strings.TrimSuffix(fmt.Sprintf("%s %s %d %s", m.Do, m.Operation, m.Nth, url.QueryEscape(m.Table)), " ")
}

// parseMishap parses the fields of text.
func parseMishap(fields []string) (Mishap, error) {
	if len(fields) != 3 && len(fields) != 4 {
		return Mishap{}, fmt.Errorf("write KIND OPERATION NTH TABLE, such as cut-after-commit UpdateItem 1 orders")
	}
	m := Mishap{Target: Target{Operation: fields[1]}, Do: Kind(fields[0])}
	err := m.Do.check()
	if err != nil {
		return m, err
	}
	if m.Nth, err = strconv.Atoi(fields[2]); err != nil || m.Nth < 1 {
		return m, fmt.Errorf("%q is not the number of a request: count from 1", fields[2])
	}
	if len(fields) == 4 {
		if m.Table, err = url.QueryUnescape(fields[3]); err != nil {
			return m, fmt.Errorf("table %q: write special characters as in a URL, such as %%2C for a comma", fields[3])
		}
	}
	return m, nil
}

// like reports whether two mishaps do the same to requests of the same target.
func (m Mishap) like(n Mishap) bool { return m.Target == n.Target && m.Do == n.Do }

// sameKind reports whether two mishaps are of the same kind.
func (m Mishap) sameKind(o Mishap) bool { return m.Do == o.Do }

// isNextTo reports whether two mishaps happen to the same request, or to one and the next of its target. A client that
// tries three times survives only if one of two consecutive requests passes: more is an outage, which no client
// survives.
func (m Mishap) isNextTo(o Mishap) bool {
	return m.Target == o.Target && m.Nth-o.Nth <= 1 && o.Nth-m.Nth <= 1
}
