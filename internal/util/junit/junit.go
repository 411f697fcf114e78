// Package junit writes results of tests as JUnit XML, which CI services read.
package junit

import (
	"encoding/xml"
	"fmt"
	"time"
)

// Report is the results of a run. Add counts what it adds; set nothing but the names and times.
type Report struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr"` // of Seconds
	Suites   []*Suite `xml:"testsuite"`

	started time.Time
}

// Suite is the results of some of the tests.
type Suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"` // of all of its cases
	Started  string `xml:"timestamp,attr"`
	Cases    []Case `xml:"testcase"`

	elapsed time.Duration
}

// Case is the result of one test. It has passed if there is neither a Failure nor Skipped.
type Case struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    string  `xml:"time,attr,omitempty"` // set by Add
	Failure *Reason `xml:"failure,omitempty"`
	Skipped *Reason `xml:"skipped,omitempty"`
	Out     string  `xml:"system-out,omitempty"`
}

// Reason is why a test failed or was skipped.
type Reason struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// New returns a report without tests.
func New(name string, started time.Time, elapsed time.Duration) *Report {
	return &Report{Name: name, Time: seconds(elapsed), started: started}
}

// Add adds a case that took elapsed to the suite of that name, which it begins if the last case was in another one.
func (r *Report) Add(suite string, c Case, elapsed time.Duration) {
	if n := len(r.Suites); n == 0 || r.Suites[n-1].Name != suite {
		r.Suites = append(r.Suites, &Suite{Name: suite, Started: r.started.UTC().Format("2006-01-02T15:04:05")})
	}
	s := r.Suites[len(r.Suites)-1]
	r.Tests, s.Tests = r.Tests+1, s.Tests+1
	if c.Failure != nil {
		r.Failures, s.Failures = r.Failures+1, s.Failures+1
	}
	if c.Skipped != nil {
		r.Skipped, s.Skipped = r.Skipped+1, s.Skipped+1
	}
	if elapsed > 0 {
		c.Time = seconds(elapsed)
	}
	s.elapsed += elapsed
	s.Time = seconds(s.elapsed)
	s.Cases = append(s.Cases, c)
}

// XML returns the report as a file.
func (r *Report) XML() ([]byte, error) {
	text, err := xml.MarshalIndent(r, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
