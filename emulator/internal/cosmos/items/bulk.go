package items

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// A bulk is a batch that is not atomic: each operation succeeds or fails by itself. The SDK for JavaScript sends one for each
// physical partition, whose operations have partition keys of their own. Where the request does not say that it wants to go
// on, what comes after a failure is not done.

// bulkRun is operations of a bulk that are done in one transaction: those of a logical partition.
type bulkRun struct {
	key     doc.PartitionKey
	indexes []int // in the bulk
}

func runBulks(c *operation.Call, operations []*batchOperation) *wire.Error {
	goOn := c.Flag("X-Ms-Cosmos-Batch-Continue-On-Error")
	runs, err := bulkRuns(c, operations, goOn)
	if err != nil {
		return err
	}
	if err := c.AdmitTo(bulkPartitions(c, runs)...); err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(operations)), false
	for _, run := range runs {
		if failed && !goOn {
			break
		}
		ran, err := runBulk(c, operations, run, results, goOn)
		if err != nil {
			return err
		}
		failed = failed || !ran
	}
	for i, r := range results {
		if r == nil {
			results[i] = &batchResult{status: http.StatusFailedDependency}
		}
		c.Charge += results[i].charge
	}
	c.SetPartitionHeaders(c.Container.Definition.Load().Key.EPK(runs[0].key), c.Container.Sequence.Floor())
	replyBatch(c, results)
	return nil
}

// bulkRuns puts the operations of a partition key together: all of them, or where their order tells, those in a row.
func bulkRuns(c *operation.Call, operations []*batchOperation, goOn bool) ([]*bulkRun, *wire.Error) {
	var runs []*bulkRun
	byKey := map[string]*bulkRun{}
	for i, op := range operations {
		key := op.key
		if key == nil {
			var err *wire.Error
			if key, err = c.HeaderKey(); err != nil {
				return nil, err
			}
		}
		key, err := c.CompleteKey(key)
		if err != nil {
			return nil, err
		}
		name := key.String()
		run := byKey[name]
		if run == nil || !goOn && run != runs[len(runs)-1] {
			run = &bulkRun{key: key}
			byKey[name] = run
			runs = append(runs, run)
		}
		run.indexes = append(run.indexes, i)
	}
	return runs, nil
}

// bulkPartitions are the physical partitions of the runs.
func bulkPartitions(c *operation.Call, runs []*bulkRun) []*engine.Partition {
	var all []*engine.Partition
	seen := map[*engine.Partition]bool{}
	def := c.Container.Definition.Load()
	for _, run := range runs {
		if p := c.Container.PartitionOf(def.Key.EPK(run.key)); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// runBulk does the operations of a run; false: one of them failed.
func runBulk(c *operation.Call, operations []*batchOperation, run *bulkRun, results []*batchResult, goOn bool) (bool, *wire.Error) {
	if want := c.Header("X-Ms-Documentdb-Partitionkeyrangeid"); want != "" {
		epk := c.Container.Definition.Load().Key.EPK(run.key)
		if _, id, found := strings.Cut(want, ","); found {
			want = id // SDKs put the container's rid before it
		}
		if c.Container.RangeOf(epk).ID != want {
			gone := wire.RangeGone()
			for _, i := range run.indexes {
				results[i] = &batchResult{status: gone.Status, substatus: gone.Substatus}
			}
			return false, nil
		}
	}
	well := true
	_, err := c.Container.Write(c.Ctx, run.key, func(t *engine.Transaction) *wire.Error {
		t.Independent = true
		for _, i := range run.indexes {
			saved := t.Save()
			var err *wire.Error
			if results[i], err = operations[i].do(t); err == nil {
				continue
			}
			t.Restore(saved)
			if well = false; !goOn {
				break
			}
		}
		return nil
	})
	return well, err
}
