package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/util/selfsigned"
)

// Program is a command with its arguments, as a program for [explore.Search]. Each run has an emulator of its own in
// this process. Besides the environment of this process, it sees:
//
//   - AWS_ENDPOINT_URL_DYNAMODB and AWS_ENDPOINT_URL_DYNAMODB_STREAMS, with a region and credentials that only the
//     emulator accepts. Profiles and files of credentials are hidden.
//   - AZURE_COSMOS_ENDPOINT over http, AZURE_COSMOS_KEY and AZURE_COSMOS_CONNECTION_STRING; for clients that need https,
//     AZURE_COSMOS_HTTPS_ENDPOINT with the certificate in the file AZURE_COSMOS_CERTIFICATE.
//   - HTTPS_PROXY and HTTP_PROXY: the Guard. NO_PROXY: this machine.
//   - TABLETOP_EXPLORE: the plan of the run, as explore.Plan.Text writes it. It is set in every run.
type Program struct {
	Args    []string      // the command and its arguments
	Limit   time.Duration // of a run; a run that takes longer has failed
	Options []emulator.Option
	// Prepare, if it is not nil, is called with each emulator before the command starts.
	Prepare func(context.Context, *emulator.Emulator) error
	// Check, if it is not nil, is called with each emulator after the command has ended. It returns what is broken, in
	// lines, and the run has then failed; empty: nothing. disturbed reports whether the run had mishaps.
	Check func(ctx context.Context, e *emulator.Emulator, disturbed bool) (broken string, err error)
	// Items, if it is not nil, returns the items that Check is about, by their names; known is false if there are too
	// many.
	Items func(ctx context.Context, e *emulator.Emulator) (items map[string]string, known bool, err error)
	// Addr, if it is not empty, is the address of DynamoDB in every run, for commands with a fixed endpoint. Runs must
	// then follow each other.
	Addr string

	guard       *Guard
	certificate selfsigned.PEM
	file        string // of the certificate

	mu      sync.Mutex
	remarks []string
}

// Open makes the program ready to run. Close must follow.
func (p *Program) Open() (err error) {
	if p.certificate, err = selfsigned.New(time.Now()); err != nil {
		return err
	}
	if p.file, err = temporaryFile(p.certificate.Certificate); err != nil {
		return err
	}
	p.guard, err = NewGuard()
	return err
}

// Close releases what Open acquired. No run may be in progress.
func (p *Program) Close() error {
	var errs []error
	if p.guard != nil {
		errs = append(errs, p.guard.Close())
	}
	return errors.Join(append(errs, removeFile(p.file))...)
}

// Run implements [explore.Program].
func (p *Program) Run(ctx context.Context, plan explore.Plan) (*explore.Outcome, error) {
	return p.run(ctx, &run{plan: plan})
}

// Record runs a plan and writes the requests for DynamoDB to a recording.
func (p *Program) Record(ctx context.Context, plan explore.Plan, to io.Writer) (*explore.Outcome, error) {
	return p.run(ctx, &run{plan: plan, options: []emulator.Option{emulator.WithRecording(to)}})
}

// Show runs a plan as Trace does, and writes what the command prints to out while it runs.
func (p *Program) Show(ctx context.Context, plan explore.Plan, out io.Writer) (*explore.Outcome, error) {
	return p.run(ctx, &run{plan: plan, out: out, traced: p.Check != nil})
}

// Trace runs a plan, calls Check also before each request, and marks the request after which something stayed broken.
func (p *Program) Trace(ctx context.Context, plan explore.Plan) (*explore.Outcome, error) {
	return p.run(ctx, &run{plan: plan, traced: p.Check != nil})
}

// run is one run of a program.
type run struct {
	plan    explore.Plan
	out     io.Writer // where the output goes too; nil: nowhere
	traced  bool      // checks before each request
	options []emulator.Option

	requests requests
}

// run runs the command on an emulator of its own.
func (p *Program) run(ctx context.Context, r *run) (o *explore.Outcome, err error) {
	e, err := p.start(r)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if p.Prepare != nil {
		if err := p.Prepare(ctx, e); err != nil {
			return nil, fmt.Errorf("the emulator of a run cannot be prepared: %w", err)
		}
	}
	r.requests.begin(p.checkOf(ctx, e, r)) // those before are not the command's
	end, err := runChild(ctx, child{args: p.Args, env: p.environment(e, r.plan), limit: p.Limit, out: r.out})
	if err != nil {
		return nil, err
	}
	if end.left {
		p.remark("the command leaves processes running: they are ended after each run")
	}
	o = &explore.Outcome{Passed: end.reason == "", Reason: end.reason, Output: end.output, Requests: r.requests.list()}
	return o, p.check(ctx, e, r, o)
}

// checkOf returns what is checked before each request of a traced run; nil in other runs.
func (p *Program) checkOf(ctx context.Context, e *emulator.Emulator, r *run) *invariantCheck {
	if !r.traced {
		return nil
	}
	return &invariantCheck{
		holds: func() bool {
			broken, err := p.Check(ctx, e, true)
			return err == nil && broken == ""
		},
		items: func() snapshot {
			if p.Items == nil {
				return snapshot{taken: true}
			}
			items, known, err := p.Items(ctx, e)
			return snapshot{items, true, known && err == nil}
		},
	}
}

// check fails an outcome if something is broken after the run.
func (p *Program) check(ctx context.Context, e *emulator.Emulator, r *run, o *explore.Outcome) error {
	if p.Check == nil {
		return nil
	}
	broken, err := p.Check(ctx, e, len(r.plan) > 0)
	if err != nil || broken == "" {
		return err
	}
	if o.Passed {
		o.Passed, o.Reason = false, "an invariant is broken"
	}
	if r.out != nil {
		_, _ = fmt.Fprintln(r.out, broken)
	}
	o.Output = strings.TrimLeft(strings.TrimRight(o.Output, "\n")+"\n"+broken+"\n", "\n")
	r.requests.markBreak(o.Requests)
	return nil
}

// start starts the emulator of a run.
func (p *Program) start(r *run) (*emulator.Emulator, error) {
	options := append([]emulator.Option{
		emulator.WithCosmosHTTPAddr("127.0.0.1:0"),
		emulator.WithCosmosCertificate(p.certificate.Certificate, p.certificate.Key),
		emulator.WithExploration(nil, r.requests.add),
		emulator.WithFaults(r.faults()...),
	}, p.Options...)
	if p.Addr != "" {
		options = append(options, emulator.WithDynamoDBAddr(p.Addr))
	}
	return emulator.Start(append(options, r.options...)...)
}

// faults returns the faults of the plan. Check scans tables and runs statements: in a traced run such a fault is only
// for the command's own requests, by its access key.
func (r *run) faults() []emulator.Fault {
	all := emulator.PlanFaults(r.plan)
	for i := range all {
		if op := all[i].Operations[0]; r.traced && (op == "Scan" || op == "ExecuteStatement") {
			all[i].Identities = []string{accessKey}
		}
	}
	return all
}

// remark adds a remark, once.
func (p *Program) remark(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.remarks {
		if known == text {
			return
		}
	}
	p.remarks = append(p.remarks, text)
}

// Remarks returns what the user should know of the runs, a line each: processes that were left running, requests to the
// real clouds that were refused.
func (p *Program) Remarks() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.remarks[:len(p.remarks):len(p.remarks)]
	for _, host := range p.guard.Refused() {
		all = append(all, fmt.Sprintf("a request to %s was refused: the command has an endpoint of its own or ignores "+
			"AWS_ENDPOINT_URL_DYNAMODB; no credentials were sent", host))
	}
	return all
}
