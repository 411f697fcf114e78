package transfer

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

type cancelBulkOutput struct{ BulkOperationArn, BulkOperationStatus string }

func (out *cancelBulkOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// The failure of a bulk operation that was cancelled. Its words are ours: only that there is one is documented.
var cancelledFailure = failure{"OperationCancelled", "The bulk operation was cancelled by a request."}

// CancelBulkOperation stops a bulk operation before its next items; those that it has written stay (API reference,
// "CancelBulkOperation"). Another request for an operation that is stopping has no effect. The error for an operation
// that has ended is ours.
func CancelBulkOperation(req *engine.Request, in *BulkOperationInput) (*cancelBulkOutput, error) {
	p, arn := engine.ExtensionOf[*Extension](req.Engine), *in.BulkOperationArn
	if err := req.LockTables(); err != nil {
		return nil, err
	}
	defer req.Account.UnlockTables()
	if _, err := bulkOf(req.Account, arn); err != nil {
		return nil, err
	}
	out := &cancelBulkOutput{arn, cancelling}
	if r := p.runOf(arn); r != nil {
		if r.cancel() {
			return out, nil
		}
		<-r.stored
	}
	x, err := bulkOf(req.Account, arn)
	if err != nil || x.isDone(p.Engine) {
		return nil, wire.ValidationError("The bulk operation is not in progress: " + arn)
	}
	if x.Status == cancelled {
		return out, nil
	}
	return out, p.cancelResult(req, x)
}

// cancelResult cancels an operation whose work is done, and whose result does not appear yet.
func (p *Extension) cancelResult(req *engine.Request, done *Bulk) error {
	x := new(Bulk)
	*x = *done
	x.Status, x.FailureCode, x.FailureMessage = cancelled, cancelledFailure.code, cancelledFailure.message
	x.End = p.Engine.Now() + control.RandomDuration(p.Engine, stoppingBulk).Seconds()
	return save(req.BeginWait(), req.Account, keyspace.TransferBulk, x, jobsOf(req.Account).bulks)
}
