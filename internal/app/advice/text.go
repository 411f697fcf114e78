package advice

import (
	"fmt"
	"io"
	"strings"
)

// WriteText writes a report for people: each finding with the requests that show it.
func (p *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i := range p.Findings {
		p.Findings[i].write(&b)
	}
	for i := range p.Suppressed {
		s := &p.Suppressed[i]
		fmt.Fprintf(&b, "suppressed  %s: %s  (%s)\n", s.Rule, s.about(), s.Reason)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Finding) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s\n    %s%s\n", f.Rule, f.about(), f.Problem, f.price())
	for _, e := range f.Shown {
		if e.N > 0 {
			fmt.Fprintf(b, "    #%d %s %s\n", e.N, e.Operation, e.Text)
		} else {
			fmt.Fprintf(b, "    %s\n", e.Text)
		}
	}
	if more := f.Times - len(f.Shown); more > 0 {
		fmt.Fprintf(b, "    … and %d more\n", more)
	}
	fmt.Fprintf(b, "    %s\n    %s\n\n", strings.ReplaceAll(f.Remedy, "\n", "\n    "), f.Source)
}

// about returns what the finding is about.
func (f *Finding) about() string {
	switch {
	case f.Table == "":
		return "all tables"
	case f.Index == "":
		return f.Table
	default:
		return f.Table + ", index " + f.Index
	}
}

// price returns what the finding costs a month, after a sentence.
func (f *Finding) price() string {
	if f.Monthly < 0.01 {
		return ""
	}
	return fmt.Sprintf(": $%.2f a month at this rate", f.Monthly)
}
