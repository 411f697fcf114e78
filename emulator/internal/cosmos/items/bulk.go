package items

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// A bulk is a batch that is not atomic: each operation succeeds or fails on its own. The JavaScript SDK sends one bulk
// per physical partition, in which each operation has a partition key. Unless the request asks to continue on errors,
// the operations after a failed one are skipped.

// bulkRun is a group of operations of a bulk that run in one transaction: those of one logical partition.
type bulkRun struct {
	key     doc.PartitionKey
	indexes []int // of the operations in the bulk
}

// bulkInput is the input of a bulk.
type bulkInput struct {
	runs   []*bulkRun
	goOn   bool   // whether to continue after a failed operation
	wanted string // the id of the physical partition in the request; empty: none
}

func readBulk(r *operation.Request, on *engine.Container, operations []*batchOperation) (*bulkInput, *wire.Error) {
	in := &bulkInput{goOn: r.Flag("X-Ms-Cosmos-Batch-Continue-On-Error"), wanted: r.Header("X-Ms-Documentdb-Partitionkeyrangeid")}
	return in, in.readRuns(r, on, operations)
}

// readRuns groups the operations by partition key: all operations of a key, or only consecutive ones if the bulk stops
// at the first failure, where the order matters.
func (in *bulkInput) readRuns(r *operation.Request, on *engine.Container, operations []*batchOperation) *wire.Error {
	byKey := map[string]*bulkRun{}
	for i, op := range operations {
		key := op.key
		if key == nil {
			var err *wire.Error
			if key, err = r.HeaderKey(); err != nil {
				return err
			}
		}
		key, err := operation.CompleteKey(on.Definition.Load(), key)
		if err != nil {
			return err
		}
		name := key.String()
		run := byKey[name]
		if run == nil || !in.goOn && run != in.runs[len(in.runs)-1] {
			run = &bulkRun{key: key}
			byKey[name] = run
			in.runs = append(in.runs, run)
		}
		run.indexes = append(run.indexes, i)
	}
	return nil
}

// runBulk runs the groups of a bulk, one after the other.
func runBulk(r *operation.Run, in batchInput) *wire.Error {
	bulk := in.bulk
	if err := r.AdmitTo(bulk.partitions(r.Container)...); err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(in.operations)), false
	for _, run := range bulk.runs {
		if failed && !bulk.goOn {
			break
		}
		ran, err := bulk.do(r, run, in.operations, results)
		if err != nil {
			return err
		}
		failed = failed || !ran
	}
	for i, one := range results {
		if one == nil {
			results[i] = &batchResult{status: http.StatusFailedDependency}
		}
		r.Charge += results[i].charge
	}
	r.SetPartitionHeaders(r.Container.Definition.Load().Key.EPK(bulk.runs[0].key), r.Container.Sequence.Floor())
	in.reply(r, results)
	return nil
}

// partitions returns the physical partitions of the groups.
func (in *bulkInput) partitions(on *engine.Container) []*engine.Partition {
	var all []*engine.Partition
	seen := map[*engine.Partition]bool{}
	def := on.Definition.Load()
	for _, run := range in.runs {
		if p := on.PartitionOf(def.Key.EPK(run.key)); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// means reports whether a physical partition matches the one in the request. SDKs put the container's resource id
// before its id.
func (in *bulkInput) means(id string) bool {
	wanted := in.wanted
	if _, after, found := strings.Cut(wanted, ","); found {
		wanted = after
	}
	return in.wanted == "" || wanted == id
}

// do runs the operations of a group. It returns false if one of them failed.
func (in *bulkInput) do(r *operation.Run, run *bulkRun, operations []*batchOperation, results []*batchResult) (bool, *wire.Error) {
	if !in.means(r.Container.RangeOf(r.Container.Definition.Load().Key.EPK(run.key)).ID) {
		gone := wire.RangeGone()
		for _, i := range run.indexes {
			results[i] = &batchResult{status: gone.Status, substatus: gone.Substatus}
		}
		return false, nil
	}
	well := true
	_, err := r.Container.Write(r.Ctx, run.key, func(t *engine.Transaction) *wire.Error {
		t.Independent = true
		for _, i := range run.indexes {
			saved := t.Save()
			var err *wire.Error
			if results[i], err = operations[i].do(t); err == nil {
				continue
			}
			t.Restore(saved)
			if well = false; !in.goOn {
				break
			}
		}
		return nil
	})
	return well, err
}
