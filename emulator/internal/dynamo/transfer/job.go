package transfer

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// job is what exports, imports and bulk operations have in common.
type job struct {
	ID      uint32
	ARN     string
	Request string // what identifies repetitions of the request: all of it, in JSON; an import's table
	Token   string // the client token
	Status  string // inProgress until the work is done
	Start   float64
	End     float64 // seconds since 1970 at which the result appears; 0 while the work is not done

	FailureCode, FailureMessage string
}

func (j *job) header() *job { return j }

// The statuses of jobs.
const (
	inProgress = "IN_PROGRESS"
	completed  = "COMPLETED"
	failed     = "FAILED"
)

// failure is why a job failed.
type failure struct{ code, message string }

func (f failure) Error() string { return f.code + ": " + f.message }

// The failures of a job for a reason of the emulator's own. The words are ours: no such failure of the service is
// recorded.
const (
	internalFailure    = "InternalServerError"
	interruptedMessage = "The emulator stopped before the job was done."
	panicMessage       = "The emulator has a bug; its log has the details."
)

// fail ends a job.
func (j *job) fail(e *engine.Engine, f failure) {
	j.Status, j.FailureCode, j.FailureMessage = failed, f.code, f.message
	j.End = max(j.Start, e.Now())
}

func (j *job) started() time.Time { return time.UnixMilli(int64(j.Start * 1000)) }

// isDone reports whether requests see the job's result.
func (j *job) isDone(e *engine.Engine) bool { return j.Status != inProgress && j.End <= e.Now() }

// delayResult makes the result appear after the time that the service takes, if there are transitional states.
func (j *job) delayResult(e *engine.Engine, d control.DurationRange) {
	j.End = e.Now()
	if e.States {
		j.End = max(j.End, j.Start+control.RandomDuration(e, d).Seconds())
	}
}

// answerWait is how long the answer to a request waits for its job, by the machine's clock. A client that gets its
// answer after that finds the job in progress.
const answerWait = 5 * time.Second

const panicLog = "an export, an import or a bulk operation panicked"

// start runs work in the background, and waits for it for a while. A job whose account's state is replaced before it
// begins does not run: the description of the job is gone too.
func (p *Extension) start(req *engine.Request, work func(ctx context.Context)) {
	ctx, a, done, cancelled := p.Engine.WorkContext(), req.Account, make(chan struct{}), req.Context.Done()
	go func() {
		defer close(done)
		defer p.Engine.LogPanic(panicLog)
		p.Engine.RunIfServing(func() {
			if a.IsRegistered() {
				work(ctx)
			}
		})
	}()
	req.Work.EndTurn() // the job takes its own turns
	timer := time.NewTimer(answerWait)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-cancelled:
	case <-ctx.Done(): // the state is about to be replaced, which waits for this request; the job may wait for that
	}
}

// guard does a part of a job. A panic fails the job, and not the process.
func (p *Extension) guard(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			p.Engine.Log.Error(panicLog, "panic", reason, "stack", string(debug.Stack()))
			err = failure{internalFailure, panicMessage}
		}
	}()
	return work()
}

// failureOf returns the failure of a job that ended with an error.
func (p *Extension) failureOf(err error) failure {
	var own failure
	var refused *wire.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled):
		return failure{internalFailure, interruptedMessage}
	case errors.As(err, &refused):
		return failure{refused.Name(), refused.Message}
	}
	p.Engine.Log.Error("an export, an import or a bulk operation failed", "error", err)
	return failure{internalFailure, err.Error()}
}

// bucketFailure returns the failure for a bucket that does not exist, or is another account's. nil: neither.
func (p *Extension) bucketFailure(a *engine.Account, bucket, owner string) error {
	found, err := p.Objects.HasBucket(bucket)
	switch {
	case err != nil:
		return err
	case !found:
		return failure{"S3NoSuchBucket", "The specified bucket does not exist (Service: Amazon S3; Status Code: 404; " +
			"Error Code: NoSuchBucket; " + requestIDs(a.Engine)}
	case owner != "" && owner != a.ID():
		return accessDenied(a.Engine)
	}
	return nil
}

func accessDenied(e *engine.Engine) failure {
	return failure{"S3AccessDenied", "Access Denied (Service: Amazon S3; Status Code: 403; Error Code: AccessDenied; " +
		requestIDs(e)}
}

// authorize returns the failure unless policies permit who began a job an action on each of the resources, which are a
// bucket, or a bucket and a key. who is nil if no identities are configured.
func (p *Extension) authorize(ctx context.Context, who *identity.Principal, action string, resources ...string) error {
	if who == nil || !p.Gate.Enabled() {
		return nil
	}
	work := p.Engine.NewUnlimitedBudget(ctx)
	defer work.Close()
	for _, resource := range resources {
		err := p.Gate.Authorize(who, identity.Access{Action: "s3:" + action, Resource: "arn:aws:s3:::" + resource,
			Work: work})
		var refused *identity.Error
		if errors.As(err, &refused) {
			return accessDenied(p.Engine)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// requestIDs returns the end of a message of S3's SDK for Java.
func requestIDs(e *engine.Engine) string {
	return fmt.Sprintf("Request ID: %s; S3 Extended Request ID: %s; Proxy: null)", strings.ToUpper(randomName(e)[:16]),
		randomName(e)+randomName(e))
}

// randomName returns a random name in the form of those of the service's data files: 26 letters and digits.
func randomName(e *engine.Engine) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	var name [26]byte
	var bits uint64
	for i := range name {
		if i%12 == 0 {
			bits = e.Random.Next()
		}
		name[i], bits = alphabet[bits&31], bits>>5
	}
	return string(name[:])
}

// newID returns the last part of a job's ARN: the time in milliseconds and eight random digits.
func newID(e *engine.Engine, id uint32) string {
	digits := id<<12 | uint32(e.Random.Next()&0xfff)
	return fmt.Sprintf("%014d-%08x", e.Clock.Now().UnixMilli(), digits)
}

// accountOf returns the account in the ARN of a resource of a table, such as kind export.
func accountOf(arn, kind string) (account string, ok bool) {
	parts := strings.SplitN(arn, ":", 6)
	if len(parts) != 6 || parts[0] != "arn" || parts[2] != "dynamodb" {
		return "", false
	}
	resource := strings.Split(parts[5], "/")
	return parts[4], len(resource) == 4 && resource[0] == "table" && control.CheckTableNameLength(resource[1]) == nil &&
		resource[2] == kind
}

// invalidRequest returns the service's error for members that contradict each other.
func invalidRequest(message string) *wire.Error {
	return wire.ValidationError("Invalid Request: " + message)
}
