package sql

import (
	"fmt"
	"strings"
	"testing"
)

// shapes returns the shape of each line, a query.
func (w *world) shapes(t *testing.T, queries string) string {
	t.Helper()
	var out strings.Builder
	for text := range strings.Lines(queries) {
		p, err := w.compile(strings.TrimSuffix(text, "\n"))
		if err != nil {
			out.WriteString(told(err))
			continue
		}
		out.WriteString(describe(p.Shape()))
	}
	return out.String()
}

func describe(s *Shape) string {
	var parts []string
	for _, c := range s.Where {
		var values []string
		for _, v := range c.Values {
			values = append(values, v.JSON())
		}
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", written(c.Path), c.Op, strings.Join(values, ","))))
	}
	for _, o := range s.Order {
		parts = append(parts, map[bool]string{false: "up ", true: "down "}[o.Desc]+written(o.Path))
	}
	if s.Blocking {
		parts = append(parts, "blocking")
	}
	if s.All {
		parts = append(parts, "whole")
	}
	if s.Opaque {
		parts = append(parts, "opaque")
	}
	for _, path := range s.Reads {
		parts = append(parts, "reads "+written(path))
	}
	if s.Limit >= 0 {
		parts = append(parts, fmt.Sprint("limit ", s.Limit))
	}
	return strings.Join(parts, "; ") + "\n"
}

func written(p Path) string {
	var out strings.Builder
	for _, step := range p {
		switch step.Kind {
		case Property:
			out.WriteString("/" + step.Name)
		case Element:
			fmt.Fprintf(&out, "/%d", step.Index)
		case Each:
			out.WriteString("/[]")
		}
	}
	return out.String()
}
