package access

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const head = `# Access

The operations of the backends, the kinds of credentials, and the status code of each combination. The tables are
generated from the OpenAPI documents: ` + "`go test ./features -run TestAccessPage -rewrite`" + ` writes them, and a test checks
that they are current. The scenarios "Access to …" send every request: the status code is that of the table, an error is
problem details without anybody's data, and the store receives no request, except for those listed below. To run them:
` + "`bin/tabletop features --tags '@KF-R8 or @NT-P6 or @PE-R4 or @TL-R12 or @VR-P9 or @VR-R6'`" + `.

An operation that does not declare who may call it is refused to everybody. A new operation appears in the table
automatically.

| in the table | means |
|---|---|
| yes | the request succeeds |
| 401 | the credential is missing, invalid, or of another kind; the data is not read |
| 403 | the credential is valid, but not sufficient |
| 404 | another user's data looks like data that does not exist |
| own | the caller reaches only the caller's own data |

GET /healthz and /metrics, which contain no user data, the documents (openapi.json, docs and the list of systems at /)
and, for local use, the issuer below /auth are public. Files are uploaded to /verification/uploads/ at an address that
is signed for one file and 15 minutes.
`

// Page returns docs/access.md. document returns the OpenAPI document of a system.
func Page(systems []System, document func(System) ([]byte, error)) (string, error) {
	var b strings.Builder
	b.WriteString(head)
	for _, s := range systems {
		text, err := document(s)
		if err != nil {
			return "", err
		}
		operations, err := Read(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.Name, err)
		}
		s.write(&b, operations)
	}
	return b.String(), nil
}

func (s System) write(b *strings.Builder, operations []Operation) {
	columns := s.columns(operations)
	fmt.Fprintf(b, "\n## %s\n\n| operation |", s.Title)
	for _, c := range columns {
		fmt.Fprintf(b, " %s |", c.title)
	}
	b.WriteString(" |\n|---" + strings.Repeat("|---", len(columns)) + "|---|\n")
	for _, o := range operations {
		fmt.Fprintf(b, "| %s: %s %s |", o.ID, o.Method, o.Path)
		for _, c := range columns {
			fmt.Fprintf(b, " %s |", s.expect(o, c.kinds[0]).cell())
		}
		b.WriteString(strings.TrimRight(" "+s.reason(o), " ") + " |\n")
	}
	s.writeKinds(b, columns)
	s.writeCalls(b)
}

// column is a set of credential kinds for which every operation of a system has the same result.
type column struct {
	title string
	kinds []Kind
	cells []string
}

func (s System) columns(operations []Operation) []column {
	var all []column
	for _, k := range s.Kinds {
		c := column{kinds: []Kind{k}}
		for _, o := range operations {
			c.cells = append(c.cells, s.expect(o, k).cell())
		}
		if i := slices.IndexFunc(all, func(other column) bool { return slices.Equal(c.cells, other.cells) }); i >= 0 {
			all[i].kinds = append(all[i].kinds, k)
			continue
		}
		all = append(all, c)
	}
	for i, c := range all {
		if all[i].title = c.kinds[0].Name; c.kinds[0].Name == None {
			all[i].title = "no valid credential"
		} else if len(c.kinds) > 1 {
			all[i].title += ", or " + c.kinds[1].Name
		}
	}
	return all
}

// reason returns the explanation of an operation's row.
func (s System) reason(o Operation) string {
	switch exception, excepted := s.Except[o.ID]; {
	case o.Open:
		return "for " + s.Open[o.ID].Reason
	case excepted:
		return exception.Reason
	}
	return s.Own[o.ID]
}

func (s System) writeKinds(b *strings.Builder, columns []column) {
	for _, c := range columns {
		if len(c.kinds) < 3 {
			continue
		}
		names := make([]string, len(c.kinds))
		for i, k := range c.kinds {
			names[i] = k.Name
		}
		fmt.Fprintf(b, "\nThe column *%s* covers: %s.\n", c.title, strings.Join(names, ", "))
	}
}

// writeCalls writes the calls that are made to the store before a caller is refused.
func (s System) writeCalls(b *strings.Builder) {
	byWhat := map[string][]string{}
	for _, k := range s.Kinds {
		if k.Status != 0 && len(k.Calls) > 0 {
			what := requests(k.Calls)
			byWhat[what] = append(byWhat[what], k.Name)
		}
	}
	for id, calls := range s.Absent {
		what := requests(calls)
		byWhat[what] = append(byWhat[what], id)
	}
	if len(byWhat) == 0 {
		return
	}
	b.WriteString("\n| request to the store | before the refusal of |\n|---|---|\n")
	for _, what := range slices.SortedFunc(maps.Keys(byWhat), func(a, b string) int { return cmp.Compare(a, b) }) {
		slices.Sort(byWhat[what])
		fmt.Fprintf(b, "| %s | %s |\n", what, strings.Join(byWhat[what], ", "))
	}
}

func requests(calls []string) string {
	all := make([]string, len(calls))
	for i, one := range calls {
		if all[i] = "`" + one + "`"; strings.Count(one, `"`)%2 == 1 {
			all[i] = "`" + one + "…`"
		}
	}
	return strings.Join(all, ", then ")
}
