package plan

// GatewayError is the error for a query over several partitions that the gateway does not run itself: 400 BadRequest.
type GatewayError struct {
	Message   string
	SubStatus int   // 1004 if there is a plan, else 0
	Plan      *Plan // for the body's additionalErrorInfo; nil if the service returns none
}

// Error returns the message as the service writes it.
func (e *GatewayError) Error() string { return e.Message }

// The gateway's messages, as recorded from live accounts.
const (
	notServable = "The provided cross partition query can not be directly served by the gateway. " +
		"This is a first chance (internal) exception that all newer clients will know how to handle gracefully. " +
		"This exception is traced, but unless you see it bubble up as an exception (which only happens on older SDK clients), " +
		"then you can safely ignore this message."
	onlyValue = "Cross partition query only supports 'VALUE <AggregateFunc>' for aggregates."
	// NotEnabled is the message for a client that neither names a partition nor enables cross-partition queries: 400
	// BadRequest.
	NotEnabled = "Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, " +
		"specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception."
)

// CheckGateway reports, by a nil error, whether the gateway runs the query itself if the request names neither a
// partition key nor a range: any query of one logical partition, and queries over several that only filter and project.
// This depends on the query, not on the number of the container's physical partitions. The error is a *GatewayError.
func (p *Plan) CheckGateway() error {
	switch {
	case p.Hybrid == nil && (p.IsSingleKey() || p.mergeCount() == 0):
		return nil
	case p.Hybrid == nil && !p.Info.SelectValue && len(p.Info.operators()) > 0:
		return &GatewayError{Message: onlyValue}
	}
	return &GatewayError{Message: notServable, SubStatus: 1004, Plan: p}
}

// mergeCount returns the number of merge operations that a client must perform.
func (p *Plan) mergeCount() int { return len(p.requiredFeatures()) }
