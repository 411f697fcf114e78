package report

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Started  string      `xml:"timestamp,attr"`
	Cases    []junitCase `xml:"testcase"`
	elapsed  time.Duration
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    string       `xml:"time,attr"`
	Failure *junitReason `xml:"failure,omitempty"`
	Skipped *junitReason `xml:"skipped,omitempty"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
}

// JUnit returns the run as JUnit XML, with one suite per feature and one case per scenario. A scenario that is not
// applicable, or a known difference, is skipped, with the reason.
func (r Run) JUnit() ([]byte, error) {
	all := junitSuites{
		Name: "tabletop features on " + r.Target, Tests: len(r.Scenarios), Failures: r.Count(Failed),
		Skipped: r.Count(NotApplicable) + r.Count(KnownDifference), Time: seconds(r.Elapsed),
	}
	for _, s := range r.Scenarios {
		if n := len(all.Suites); n == 0 || all.Suites[n-1].Name != s.Feature {
			all.Suites = append(all.Suites, junitSuite{Name: s.Feature, Started: r.Started.Format("2006-01-02T15:04:05")})
		}
		all.Suites[len(all.Suites)-1].add(s)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

func (j *junitSuite) add(s Scenario) {
	c := junitCase{
		Class: s.System + "." + strings.TrimSuffix(s.File, ".feature"), Name: s.Name, Time: seconds(s.Elapsed),
		Out: strings.Join(s.IDs, " ") + "\n" + s.Text(),
	}
	switch s.Outcome {
	case Failed:
		j.Failures++
		c.Failure = &junitReason{s.Reason}
	case NotApplicable, KnownDifference:
		j.Skipped++
		c.Skipped = &junitReason{string(s.Outcome) + ": " + s.Reason}
	}
	j.Tests++
	j.elapsed += s.Elapsed
	j.Time = seconds(j.elapsed)
	j.Cases = append(j.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
