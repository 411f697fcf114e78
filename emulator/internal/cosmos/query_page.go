package cosmos

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// take takes the rows of a scope into the page.
func (q *documentQuery) take(page *sql.Page) {
	defer q.tock(&q.took.write, q.tick())
	q.reads.matched += page.Matched
	for _, row := range page.Rows {
		if q.rows > 0 {
			q.body = append(q.body, ',')
		}
		q.rows++
		q.body = doc.Append(q.body, row)
	}
	q.reads.output = len(q.body)
}

// note notes what a scope took, for the charge: the same whether an index was there or the container too small for one.
func (q *documentQuery) note(before queryReads, plan *accessPlan, byIndex bool, matched int) {
	documents, bytes := q.reads.documents-before.documents, q.reads.bytes-before.bytes
	if !byIndex && plan.conditions > 0 && matched < documents {
		documents, bytes = matched, bytes*matched/documents
	}
	q.charged.documents += documents
	q.charged.bytes += bytes
	q.charged.visits += plan.visits
	q.charged.entries += q.reads.entries - before.entries
	q.charged.indexes += plan.visits * plan.conditions
	if q.spec.query.OrderBy != nil && q.program.Shape().Order != nil {
		q.charged.indexes += plan.visits
	}
	if plan.conditions == 0 {
		q.charged.calls = calls(q.spec.query.Where)
	}
	q.charged.output = q.reads.output
}

// calls counts the functions that a filter calls.
func calls(filter ast.Expr) (n int) {
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

// answer answers the page.
func (q *documentQuery) answer(t *traversal) *Error {
	lsn := q.shownLSN()
	q.charge = q.readCost(chargeQuery(q.charged))
	q.setPartitionHeaders(t.at(), lsn)
	token := t.token()
	if err := q.checkTokenSize(token); err != nil {
		return err
	}
	if token != "" {
		q.out.set("x-ms-continuation", token)
	}
	if q.flag("X-Ms-Documentdb-Populatequerymetrics") {
		q.out.set("x-ms-documentdb-query-metrics", q.metrics())
	}
	q.addIndexMetrics()
	q.account.log.Debug("a page of a query was answered", "query", q.spec.text, "found", strings.Join(q.ways, "; "), "loaded", q.reads.documents, "rows", q.rows)
	q.out.status = http.StatusOK
	q.out.body = q.feed()
	q.out.set("x-ms-item-count", strconv.Itoa(q.rows))
	if q.binary() {
		return q.toBinary()
	}
	return nil
}

// checkTokenSize holds a continuation to the size that the client takes, in kilobytes (the words are those of QueryTests of
// the SDK for .NET).
func (c *call) checkTokenSize(token string) *Error {
	text := c.header("X-Ms-Documentdb-Responsecontinuationtokenlimitinkb")
	if text == "" {
		return nil
	}
	limit, err := strconv.Atoi(text)
	switch {
	case err != nil || limit < 0:
		return serviceError("The continuation token size limit %s is invalid. Please pass in a valid continuation token size limit which must be a positive integer.", text)
	case (len(token)+kilobyte-1)/kilobyte > limit:
		return serviceError("The continuation token limit specified is not large enough: the token has %d bytes.", len(token))
	}
	return nil
}

// feed is the page as JSON.
func (q *documentQuery) feed() []byte {
	body := make([]byte, 0, len(q.body)+80)
	body = append(body, `{"_rid":"`...)
	body = append(body, q.container.rid...)
	body = append(body, `","Documents":[`...)
	body = append(body, q.body...)
	body = append(body, `],"_count":`...)
	return append(strconv.AppendInt(body, int64(q.rows), 10), '}')
}
