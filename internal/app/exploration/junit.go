package exploration

import (
	"encoding/xml"
	"fmt"

	"github.com/tabletop-db/tabletop/internal/explore"
)

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Started  string      `xml:"timestamp,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *junitReason `xml:"failure,omitempty"`
	Skipped *junitReason `xml:"skipped,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit returns the report as JUnit XML: a case for each operation and kind of mishap, and one for each finding of
// several mishaps. A known finding, and a mishap that was not reached, is skipped.
func (r *Report) JUnit() ([]byte, error) {
	s := junitSuite{Name: "tabletop explore -- " + commandLine(r.Command),
		Time: fmt.Sprintf("%.3f", r.Elapsed.Seconds()), Started: r.Started.UTC().Format("2006-01-02T15:04:05")}
	for _, row := range r.Matrix {
		for _, kind := range r.Kinds() {
			if row.Verdicts[kind] != "" {
				s.add(r.junitCase(row.Target, kind, row.Verdicts[kind]))
			}
		}
	}
	for _, f := range r.Result.Findings {
		if len(f.Plan) > 1 {
			s.add(r.junitFinding(junitCase{Class: "several mishaps", Name: f.Plan.Text()}, f))
		}
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// junitCase returns the case of a kind of mishap at a target.
func (r *Report) junitCase(t explore.Target, kind explore.Kind, v explore.Verdict) junitCase {
	c := junitCase{Class: t.String(), Name: string(kind)}
	for _, f := range r.Result.Findings {
		if len(f.Plan) == 1 && f.Plan[0].Target == t && f.Plan[0].Do == kind {
			return r.junitFinding(c, f)
		}
	}
	if v == explore.NotReached {
		c.Skipped = &junitReason{Message: string(v)}
	}
	return c
}

func (r *Report) junitFinding(c junitCase, f *explore.Finding) junitCase {
	reason := &junitReason{Message: f.Plan.String() + ": " + f.Outcome.Reason, Text: f.Story()}
	if r.IsKnown(f) {
		c.Skipped = reason
	} else {
		c.Failure = reason
	}
	return c
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
