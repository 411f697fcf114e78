package cosmos

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// A bulk is a batch that is not atomic: each operation succeeds or fails by itself. The SDK for JavaScript sends one for each
// physical partition, whose operations have partition keys of their own. Where the request does not say that it wants to go
// on, what comes after a failure is not done.

// bulkRun is operations of a bulk that are done in one transaction: those of a logical partition.
type bulkRun struct {
	key     doc.PartitionKey
	indexes []int // in the bulk
}

func (c *call) runBulks(operations []*batchOperation) *Error {
	goOn := c.flag("X-Ms-Cosmos-Batch-Continue-On-Error")
	runs, err := c.bulkRuns(operations, goOn)
	if err != nil {
		return err
	}
	if err := c.admitTo(c.bulkPartitions(runs)...); err != nil {
		return err
	}
	results, failed := make([]*batchResult, len(operations)), false
	for _, run := range runs {
		if failed && !goOn {
			break
		}
		ran, err := c.runBulk(operations, run, results, goOn)
		if err != nil {
			return err
		}
		failed = failed || !ran
	}
	for i, r := range results {
		if r == nil {
			results[i] = &batchResult{status: http.StatusFailedDependency}
		}
		c.charge += results[i].charge
	}
	c.setPartitionHeaders(c.container.definition.Load().key.EPK(runs[0].key), c.container.sequence.floor())
	c.replyBatch(results)
	return nil
}

// bulkRuns puts the operations of a partition key together: all of them, or where their order tells, those in a row.
func (c *call) bulkRuns(operations []*batchOperation, goOn bool) ([]*bulkRun, *Error) {
	var runs []*bulkRun
	byKey := map[string]*bulkRun{}
	for i, op := range operations {
		key := op.key
		if key == nil {
			var err *Error
			if key, err = c.headerKey(); err != nil {
				return nil, err
			}
		}
		key, err := c.completeKey(key)
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
func (c *call) bulkPartitions(runs []*bulkRun) []*partition {
	var all []*partition
	seen := map[*partition]bool{}
	def := c.container.definition.Load()
	for _, run := range runs {
		if p := c.container.partitionOf(def.key.EPK(run.key)); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// runBulk does the operations of a run; false: one of them failed.
func (c *call) runBulk(operations []*batchOperation, run *bulkRun, results []*batchResult, goOn bool) (bool, *Error) {
	if want := c.header("X-Ms-Documentdb-Partitionkeyrangeid"); want != "" {
		epk := c.container.definition.Load().key.EPK(run.key)
		if _, id, found := strings.Cut(want, ","); found {
			want = id // SDKs put the container's rid before it
		}
		if c.container.rangeOf(epk).id != want {
			gone := rangeGone()
			for _, i := range run.indexes {
				results[i] = &batchResult{status: gone.Status, substatus: gone.Substatus}
			}
			return false, nil
		}
	}
	well := true
	_, err := c.container.write(c.ctx, run.key, func(t *transaction) *Error {
		t.independent = true
		for _, i := range run.indexes {
			saved := t.save()
			var err *Error
			if results[i], err = operations[i].do(t); err == nil {
				continue
			}
			t.restore(saved)
			if well = false; !goOn {
				break
			}
		}
		return nil
	})
	return well, err
}
