package extensions

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// loadRequest is a load test to start.
type loadRequest struct {
	Profile   string  `json:"profile"` // id of a built-in one
	Target    string  `json:"target"`  // embedded or emulator
	Seconds   int     `json:"seconds"` // 0: the documented duration
	RateScale float64 `json:"rateScale"`
}

// check validates the numbers of a request.
func (r loadRequest) check() error {
	switch {
	case r.Seconds < 0 || r.Seconds > maxSeconds:
		return invalid("a duration of %d seconds is out of range: use 1 to %d, or 0 for the documented one", r.Seconds, maxSeconds)
	case !(r.RateScale >= 0.001 && r.RateScale <= 1000):
		return invalid("a rate scale of %v is out of range: use 0.001 to 1000", r.RateScale)
	}
	return nil
}

// startLoad starts a load test.
func (x *Extensions) startLoad(r *http.Request) (any, error) {
	var in loadRequest
	if err := decode(r, &in); err != nil {
		return nil, err
	}
	p, err := profileOf(in.Profile)
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	target, env, err := x.targetOf(in.Target, p)
	if err != nil {
		return nil, err
	}
	folder := time.Now().UTC().Format("20060102-150405.000") + "-" + p.ID
	run := newLoadRun(p, in, target, filepath.Join(x.cfg.Reports, consoleFolder, folder))
	if err := writeRequest(run.folder, in); err != nil {
		return nil, err
	}
	run.job, err = x.jobs.start(spec{env: env, limit: limitOf(p, in.Seconds), line: run.add, args: []string{
		"loadtest", "run", p.ID, "--target", target, "--duration", strconv.Itoa(in.Seconds) + "s",
		"--rate-scale", strconv.FormatFloat(in.RateScale, 'f', -1, 64), "--report", run.folder, "--progress", "json"}})
	if err != nil {
		return nil, startError(errors.Join(err, os.RemoveAll(run.folder)))
	}
	x.load.Store(run)
	return run.view(0), nil
}

// startError returns the error of a child that did not start, with a status.
func startError(err error) error {
	if errors.Is(err, errBusy) || errors.Is(err, errClosing) {
		return &problem{http.StatusConflict, err}
	}
	return err
}

// targetOf returns the name of a target for the command line, and the environment variables that it needs.
func (x *Extensions) targetOf(id string, p profile.Profile) (target string, env []string, err error) {
	if id == embeddedTarget {
		return embeddedTarget, nil, nil
	}
	if id != emulatorTarget {
		return "", nil, invalid("there is no target %q: choose %s or %s", id, embeddedTarget, emulatorTarget)
	}
	e, err := x.running()
	switch {
	case err != nil:
		return "", nil, err
	case e.unusable() != "":
		return "", nil, invalid("%s", e.unusable())
	case !p.OnCosmos():
		return "url=" + e.DynamoDBURL, nil, nil
	case e.CosmosURL == "":
		return "", nil, invalid("%s needs Cosmos DB, which is off: choose a separate emulator", p.ID)
	}
	return "cosmos=" + e.CosmosURL, []string{"AZURE_COSMOS_KEY=" + e.CosmosKey}, nil
}

// stopLoad asks the load test to stop, if one runs.
func (x *Extensions) stopLoad(*http.Request) (any, error) {
	run := x.load.Load()
	if run == nil {
		return nil, missing("no load test was started here")
	}
	run.job.cancel(errStopped)
	return run.view(0), nil
}
