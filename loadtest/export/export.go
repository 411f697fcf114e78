// Package export writes the measurements of a load test in the formats of other tools: latencies as HdrHistogram's
// percentile output (.hgrm) and interval log (.hlog), for its plotter and log analyzer, and results in Vegeta's
// encoding (.vegeta), for vegeta report and vegeta plot.
//
// Latencies are those of the report: they count from when a request was due. Memory use does not grow with the length
// of the run.
package export

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
)

// Recorder writes the files of one run. It is not safe for concurrent use.
type Recorder struct {
	files   []*file
	all     *latencies   // without warm-up stages
	stages  []*latencies // of a profile with more than one stage
	warmUp  []bool       // by stage: whether it is a warm-up
	encoder vegeta.Encoder
	err     error // the first failed write
}

// Create creates the files of a run in a folder, replacing those of an earlier run: PROFILE.hgrm, PROFILE.hlog and
// PROFILE.vegeta, and for a profile with several stages PROFILE-stage-1.hgrm and so on. It creates the folder if
// necessary.
func Create(folder string, p profile.Profile) (r *Recorder, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("cannot create the folder of exports: %w", err)
	}
	r = &Recorder{}
	defer func() {
		if err != nil {
			_ = r.closeFiles() // the first error says more
		}
	}()
	base := filepath.Join(folder, p.ID)
	results, err := r.create(base + ".vegeta")
	if err != nil {
		return nil, err
	}
	r.encoder = vegeta.NewEncoder(results)
	if r.all, err = r.latencies(base); err != nil {
		return nil, err
	}
	for i, s := range p.Stages {
		r.warmUp = append(r.warmUp, s.WarmUp)
		if len(p.Stages) == 1 {
			break
		}
		one, err := r.latencies(fmt.Sprintf("%s-stage-%d", base, i+1))
		if err != nil {
			return nil, err
		}
		r.stages = append(r.stages, one)
	}
	return r, nil
}

// Begin records the start of the attack. Call it before the first Add.
func (r *Recorder) Begin(at time.Time) {
	r.setError(r.all.begin(at))
	for _, s := range r.stages {
		r.setError(s.begin(at))
	}
}

// Add records a result. Its request was sent the time late after it was due, in the stage with this number, counted
// from 0. Add leaves out bodies, headers, which hold credentials, and the request's tag, which may hold a token. The
// kind of request stays in the URL's fragment.
func (r *Recorder) Add(result *vegeta.Result, late time.Duration, stage int) {
	one := *result
	one.Timestamp, one.Latency = result.Timestamp.Add(-late), late+result.Latency
	one.Body, one.Headers, one.URL = nil, nil, traffic.Untagged(result.URL)
	r.setError(r.encoder.Encode(&one))
	if !r.warmUp[stage] {
		r.setError(r.all.add(one.Latency, one.End()))
	}
	if len(r.stages) > 0 {
		r.setError(r.stages[stage].add(one.Latency, one.End()))
	}
}

// setError keeps the first error, so that the run continues; Close returns it.
func (r *Recorder) setError(err error) { r.err = cmp.Or(r.err, err) }

// Close closes the files and returns the first error of all.
func (r *Recorder) Close() error {
	for _, l := range append([]*latencies{r.all}, r.stages...) {
		r.setError(l.end())
	}
	if err := errors.Join(r.err, r.closeFiles()); err != nil {
		return fmt.Errorf("cannot write the exports: %w", err)
	}
	return nil
}

func (r *Recorder) closeFiles() (err error) {
	for _, f := range r.files {
		err = errors.Join(err, f.Flush(), f.file.Close())
	}
	return err
}

// latencies creates the files of a distribution.
func (r *Recorder) latencies(base string) (*latencies, error) {
	percentiles, err := r.create(base + ".hgrm")
	if err != nil {
		return nil, err
	}
	log, err := r.create(base + ".hlog")
	return newLatencies(percentiles, log), err
}

// file is a file written through a buffer.
type file struct {
	*bufio.Writer
	file io.Closer
}

func (r *Recorder) create(name string) (io.Writer, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("cannot create an export: %w", err)
	}
	one := &file{bufio.NewWriter(f), f}
	r.files = append(r.files, one)
	return one, nil
}
