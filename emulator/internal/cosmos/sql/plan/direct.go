package plan

// RefusedError is a query over several partitions that the gateway does not run by itself: 400 BadRequest.
type RefusedError struct {
	Message   string
	SubStatus int   // 1004 with a plan; else 0
	Plan      *Plan // for the body's additionalErrorInfo; nil where the service gives none
}

// Error is the message as the service writes it.
func (e *RefusedError) Error() string { return e.Message }

// Messages of the gateway, as live accounts have written them.
const (
	notDirect = "The provided cross partition query can not be directly served by the gateway. " +
		"This is a first chance (internal) exception that all newer clients will know how to handle gracefully. " +
		"This exception is traced, but unless you see it bubble up as an exception (which only happens on older SDK clients), " +
		"then you can safely ignore this message."
	onlyValue = "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates."
	// NotEnabled is the message to a client that neither names a partition nor enables queries over several: 400
	// BadRequest.
	NotEnabled = "Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, " +
		"specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception."
)

// Direct says whether the gateway runs a query by itself when neither a partition key nor a range comes with it: a
// query of one logical partition, whatever it does, and one over several that merely filters and projects. It goes by
// the query, not by how many physical partitions the container has. The error is a *RefusedError.
func (p *Plan) Direct() error {
	switch {
	case p.Hybrid == nil && (p.Single() || p.merges() == 0):
		return nil
	case p.Hybrid == nil && !p.Info.SelectValue && len(p.Info.operators()) > 0:
		return &RefusedError{Message: onlyValue}
	}
	return &RefusedError{Message: notDirect, SubStatus: 1004, Plan: p}
}

// merges counts what a client has to do with the rows of several partitions.
func (p *Plan) merges() int { return len(p.needs()) }
