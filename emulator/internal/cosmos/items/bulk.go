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

// bulkGroup is a group of operations of a bulk that run in one transaction: those of one logical partition.
type bulkGroup struct {
	key     doc.PartitionKey
	indexes []int // of the operations in the bulk
}

// bulkInput is the input of a bulk.
type bulkInput struct {
	groups          []*bulkGroup
	continueOnError bool   // whether to continue after a failed operation
	partitionID     string // the id of the physical partition in the request; empty: none
}

func readBulk(r *operation.Request, container *engine.Container, operations []*batchOperation) (*bulkInput,
	*wire.Error) {
	in := &bulkInput{continueOnError: r.Flag("X-Ms-Cosmos-Batch-Continue-On-Error"),
		partitionID: r.Header("X-Ms-Documentdb-Partitionkeyrangeid")}
	return in, in.groupByKey(r, container, operations)
}

// groupByKey groups the operations by partition key: all operations of a key, or only consecutive ones if the bulk
// stops at the first failure, where the order matters.
func (in *bulkInput) groupByKey(r *operation.Request, container *engine.Container,
	operations []*batchOperation) *wire.Error {
	byKey := map[string]*bulkGroup{}
	for i, op := range operations {
		key := op.key
		if key == nil {
			var err *wire.Error
			if key, err = r.HeaderKey(); err != nil {
				return err
			}
		}
		key, err := operation.CompleteKey(container.Definition.Load(), key)
		if err != nil {
			return err
		}
		name := key.String()
		group := byKey[name]
		if group == nil || !in.continueOnError && group != in.groups[len(in.groups)-1] {
			group = &bulkGroup{key: key}
			byKey[name] = group
			in.groups = append(in.groups, group)
		}
		group.indexes = append(group.indexes, i)
	}
	return nil
}

// runBulk runs the groups of a bulk, one after the other.
func runBulk(r *operation.Run, in batchInput) *wire.Error {
	bulk := in.bulk
	if err := r.AdmitPartitions(bulk.partitions(r.Container)...); err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(in.operations)), false
	for _, group := range bulk.groups {
		if failed && !bulk.continueOnError {
			break
		}
		ok, err := bulk.executeGroup(r, group, in.operations, results)
		if err != nil {
			return err
		}
		failed = failed || !ok
	}
	for i, result := range results {
		if result == nil {
			results[i] = &batchResult{status: http.StatusFailedDependency}
		}
		r.Charge += results[i].charge
	}
	r.SetPartitionHeaders(r.Container.Definition.Load().Key.EPK(bulk.groups[0].key), r.Container.Sequence.Floor())
	in.reply(r, results)
	return nil
}

// partitions returns the physical partitions of the groups.
func (in *bulkInput) partitions(container *engine.Container) []*engine.Partition {
	var all []*engine.Partition
	seen := map[*engine.Partition]bool{}
	def := container.Definition.Load()
	for _, group := range in.groups {
		if p := container.PartitionOf(def.Key.EPK(group.key)); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// targets reports whether a physical partition matches the one in the request. SDKs put the container's resource id
// before its id.
func (in *bulkInput) targets(id string) bool {
	partitionID := in.partitionID
	if _, after, found := strings.Cut(partitionID, ","); found {
		partitionID = after
	}
	return in.partitionID == "" || partitionID == id
}

// executeGroup runs the operations of a group. It returns false if one of them failed.
func (in *bulkInput) executeGroup(r *operation.Run, group *bulkGroup, operations []*batchOperation,
	results []*batchResult) (bool, *wire.Error) {
	if !in.targets(r.Container.RangeOf(r.Container.Definition.Load().Key.EPK(group.key)).ID) {
		gone := wire.PartitionKeyRangeGone()
		for _, i := range group.indexes {
			results[i] = &batchResult{status: gone.Status, substatus: gone.Substatus}
		}
		return false, nil
	}
	succeeded := true
	_, err := r.Container.Write(r.Ctx, group.key, func(t *engine.Transaction) *wire.Error {
		t.Independent = true
		for _, i := range group.indexes {
			saved := t.Savepoint()
			var err *wire.Error
			if results[i], err = operations[i].execute(t); err == nil {
				continue
			}
			t.RollbackTo(saved)
			if succeeded = false; !in.continueOnError {
				break
			}
		}
		return nil
	})
	return succeeded, err
}
