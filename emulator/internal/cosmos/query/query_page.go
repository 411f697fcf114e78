package query

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/throughput"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// beginBody writes what comes before the rows.
func (q *DocumentQuery) beginBody() {
	q.body = append(append(append(q.Buffers.Out[:0], `{"_rid":"`...), q.Container.RID...), `","Documents":[`...)
	q.head = len(q.body)
}

// addRows adds the rows of a scope to the page, unless addItem did.
func (q *DocumentQuery) addRows(page *sql.Page) {
	defer q.tock(&q.took.write, q.tick())
	q.reads.Matched += page.Matched
	for _, row := range page.Rows {
		begin := q.beginRow()
		q.body = doc.Append(q.body, row)
		q.endRow(begin)
	}
	q.reads.Output = len(q.body) - q.head
}

// addItem adds an item to the page as a row, and returns its size in bytes.
func (q *DocumentQuery) addItem(i *engine.Item) int {
	since := q.tick()
	begin := q.beginRow()
	q.body = q.Container.AppendJSON(q.body, i)
	size := q.endRow(begin)
	q.tock(&q.took.write, since)
	return size
}

// beginRow returns where a row begins in the page.
func (q *DocumentQuery) beginRow() int {
	if q.rows > 0 {
		q.body = append(q.body, ',')
	}
	q.rows++
	return len(q.body)
}

// endRow makes room for another row, and returns the size of the last one in bytes.
func (q *DocumentQuery) endRow(begin int) int {
	size := len(q.body) - begin
	q.body = roomForAnother(q.body, size)
	return size
}

// recordReads records what a scope read, for the charge. The charge is the same whether an index was used or the
// container is too small for one.
func (q *DocumentQuery) recordReads(before throughput.QueryReads, plan *accessPlan, byIndex bool, matched int) {
	documents, bytes := q.reads.Documents-before.Documents, q.reads.Bytes-before.Bytes
	if !byIndex && plan.conditions > 0 && matched < documents {
		documents, bytes = matched, bytes*matched/documents
	}
	q.charged.Documents += documents
	q.charged.Bytes += bytes
	q.charged.Partitions += plan.partitions
	q.charged.Entries += q.reads.Entries - before.Entries
	q.charged.Lookups += plan.partitions * plan.conditions
	if q.Spec.Query.OrderBy != nil && q.Program.Shape().Order != nil {
		q.charged.Lookups += plan.partitions
	}
	if plan.conditions == 0 {
		q.charged.Calls = countCalls(q.Spec.Query.Where)
	}
	q.charged.Output = q.reads.Output
}

// countCalls returns the number of function calls in a filter.
func countCalls(filter ast.Expr) (n int) {
	if filter == nil {
		return 0
	}
	ast.Walk(filter, func(e ast.Expr) bool {
		if _, ok := e.(*ast.Call); ok {
			n++
		}
		return true
	})
	return n
}

// reply replies with the page.
func (q *DocumentQuery) reply(t *traversal, in *queryInput) *wire.Error {
	lsn := q.SessionLSN()
	q.Charge = q.ReadCost(throughput.ChargeQuery(q.charged))
	q.SetPartitionHeaders(t.lastEPK(), lsn)
	token := t.continuation()
	if err := checkTokenSize(in.tokenLimit, token); err != nil {
		return err
	}
	if token != "" {
		q.Out.Set("x-ms-continuation", token)
	}
	if q.timed {
		q.Out.Set("x-ms-documentdb-query-metrics", q.metrics())
	}
	q.addIndexMetrics(in.indexReport)
	q.Account.Log.Debug("a page of a query was answered", "query", q.Spec.Text, "found", strings.Join(q.accessPaths, "; "),
		"loaded", q.reads.Documents, "rows", q.rows)
	q.Out.Status = http.StatusOK
	q.Out.Body = q.feed()
	q.Out.Set("x-ms-item-count", strconv.Itoa(q.rows))
	if in.binary {
		return q.ToBinary()
	}
	return nil
}

// checkTokenSize checks a continuation against the size limit of the client, in kilobytes. The messages are those of
// QueryTests of the .NET SDK.
func checkTokenSize(text, token string) *wire.Error {
	if text == "" {
		return nil
	}
	limit, err := strconv.Atoi(text)
	switch {
	case err != nil || limit < 0:
		return wire.ServiceError("The continuation token size limit %s is invalid. Please pass in a valid continuation token size limit which must be a positive integer.",
			text)
	case (len(token)+throughput.Kilobyte-1)/throughput.Kilobyte > limit:
		return wire.ServiceError("The continuation token limit specified is not large enough: the token has %d bytes.",
			len(token))
	}
	return nil
}

// feed returns the page as JSON.
func (q *DocumentQuery) feed() []byte {
	q.Buffers.Out = append(strconv.AppendInt(append(q.body, `],"_count":`...), int64(q.rows), 10), '}')
	return q.Buffers.Out
}
