package sql

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Error is a query error that the service returns with 400 (Bad Request).
type Error struct {
	Code       string // "SC1001"; a number, such as "4001", for an error without a position; empty: it has neither
	Message    string
	Start, End int      // position in the text, in bytes: [Start, End)
	More       []*Error // further errors in the query
}

func (e *Error) Error() string { return e.Message }

// Body returns the error as the service writes it into the message of a response.
func (e *Error) Body() string {
	if e.Code == "" {
		return string(append(doc.AppendString([]byte(`{"Errors":[`), e.Message), `]}`...))
	}
	b := e.append([]byte(`{"errors":[`))
	for _, other := range e.More {
		b = other.append(append(b, ','))
	}
	return string(append(b, `]}`...))
}

// Plain is Body without positions in the text, and with codes reduced to their numbers.
func (e *Error) Plain() string {
	plain := &Error{Code: strings.TrimPrefix(e.Code, "SC"), Message: e.Message}
	for _, other := range e.More {
		plain.More = append(plain.More, &Error{Code: strings.TrimPrefix(other.Code, "SC"), Message: other.Message})
	}
	return plain.Body()
}

func (e *Error) append(b []byte) []byte {
	b = append(b, `{"severity":"Error",`...)
	if e.Code != "" && isDigit(e.Code[0]) {
		b = append(append(b, `"code":`...), e.Code...)
	} else {
		b = append(b, `"location":{"start":`...)
		b = strconv.AppendInt(b, int64(e.Start), 10)
		b = append(b, `,"end":`...)
		b = strconv.AppendInt(b, int64(e.End), 10)
		b = append(b, `},"code":`...)
		b = doc.AppendString(b, e.Code)
	}
	b = append(b, `,"message":`...)
	b = doc.AppendString(b, e.Message)
	return append(b, '}')
}

// fault is a kind of error: its code, and the format of its message.
type fault struct{ code, format string }

// at returns the error for a position.
func (f fault) at(s ast.Span, args ...any) *Error {
	return &Error{Code: f.code, Message: fmt.Sprintf(f.format, args...), Start: s.Start, End: s.End}
}

// The messages of the service, word for word, from tests of its SDKs and from bug reports.
var (
	faultSyntax     = fault{"SC1001", "Syntax error, incorrect syntax near '%s'."}
	faultEnd        = fault{"SC1002", "Syntax error, unexpected end-of-file."}
	faultToken      = fault{"SC1010", "Syntax error, invalid token '%s'."}
	faultIdentifier = fault{"SC2001", "Identifier '%s' could not be resolved."}
	faultFunction   = fault{"SC2005", "'%s' is not a recognized built-in function name."}
	faultNotFinite  = fault{"4001",
		"The response content contains a numeric value that cannot be represented in JSON (e.g. Infinity and NaN)."}
	faultOrderBy = fault{"2206",
		"Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path."}
	faultCorrelated = fault{"", "Order-by over correlated collections is not supported."}
	faultIndexer    = fault{"SC2990", "The specified query includes 'member indexer' which is currently not supported."}
	faultAliasTwice = fault{"SC2021",
		"The input set name or alias '%s' is specified more than once in the FROM clause."}
	faultPropertyTwice = fault{"SC2022", "Object creation error, property name '%s' specified more than once."}
	faultStarGroup     = fault{"SC2041", "'SELECT *' is not allowed with GROUP BY."}
	faultArguments     = fault{"SC2050", "The %s function requires %s argument(s)."}
	faultTop           = fault{"SC2060", "The count value provided for a TOP clause must be an integer."}
	faultLimit         = fault{"SC2061", "The LIMIT count value exceeds the maximum allowed value."}
	faultOffset        = fault{"SC2062", "The OFFSET count value exceeds the maximum allowed value."}
	faultNested        = fault{"SC2101",
		"Cannot perform an aggregate function on an expression containing an aggregate or a subquery."}
	faultUngrouped = fault{
		"SC2102", "Property reference '%s' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause."}
	faultSubOrderBy = fault{"SC2202", "'ORDER BY' is not supported in subqueries."}
	faultSubTop     = fault{"SC2203", "'TOP' is not supported in subqueries."}
	faultSubLimit   = fault{"SC2204", "'OFFSET LIMIT' clause is not supported in subqueries."}
	faultSearchList = fault{
		"SC2213", "The '%s' value %s specified in the VectorDistance function is outside the supported range. The value must be between 1 and %d."}
	faultRankCall = fault{"SC2221",
		"The ORDER BY RANK clause must be followed by a VectorDistance and/or a FullTextScore function call."}
	faultRankIn = fault{"SC2223",
		"The FROM clause with the IN operator is not allowed with the ORDER BY RANK clause."}
	faultRankJoin     = fault{"SC2224", "The JOIN operator is not allowed with the ORDER BY RANK clause."}
	faultRankSubquery = fault{"SC2225", "Subqueries in the FROM clause are not allowed with the ORDER BY RANK clause."}
	faultRankNested   = fault{"SC2228", "The ORDER BY RANK clause is not supported in subqueries."}
	faultRankWeights  = fault{
		"SC2229", "The last parameter of the RRF function is an optional array of weights. When present, it must be a literal array of numbers, one for each of the component scores used for the RRF function. The length of this array must be the same as the number of the component scores."}
	faultScoreOutside = fault{"SC2240", "The FullTextScore function is only allowed in the ORDER BY RANK clause."}
	faultTooManyUDFs  = fault{"SC3005",
		"The SQL query exceeded the maximum number of user-defined function calls. The allowed limit is %d."}
	faultStarSingle  = fault{"SC2040", "'SELECT *' is only valid with a single input set."}
	faultStarNoFrom  = fault{"SC2039", "'SELECT *' is not valid if FROM clause is omitted."}
	faultCardinality = fault{"SC2205", "The cardinality of a scalar subquery result set cannot be greater than one."}
)

// Errors that no public source shows: their messages and codes are the emulator's own. The limits of SC3001 to SC3004
// are the service's numbers, in messages modelled on SC3005.
var (
	faultTooLong      = fault{"SC3001", "The SQL query text exceeded the maximum limit of %d characters."}
	faultTooManyJoins = fault{"SC3002", "The SQL query exceeded the maximum number of joins. The allowed limit is %d."}
	faultTooManyAnds  = fault{"SC3003",
		"The SQL query exceeded the maximum number of logical AND operators. The allowed limit is %d."}
	faultTooManyOrs = fault{"SC3004",
		"The SQL query exceeded the maximum number of logical OR operators. The allowed limit is %d."}
	faultTooManyItems = fault{"SC3006",
		"The SQL query exceeded the maximum number of items in an IN expression. The allowed limit is %d."}
	faultTooDeep  = fault{"SC3007", "The SQL query exceeded the maximum nesting depth. The allowed limit is %d."}
	faultTooLarge = fault{"SC3008",
		"The SQL query exceeded the maximum number of chained operators. The allowed limit is %d."}

	faultTooManyRows = fault{"SC3009", "The SQL query holds more than %d rows."}
	faultTooMuchWork = fault{
		"SC3009", "The SQL query takes more work than one request may, %d steps of about a comparison each. Read less in a page, or join and filter less."}
	faultTooMuchMemory = fault{"SC3009", "The SQL query holds more values than one request may, %d bytes of them."}
	faultLargeRow      = fault{"SC3009", "The SQL query makes a row of more than %d bytes."}

	faultStringLiteral = fault{"SC1011", "Syntax error, invalid string literal token '%s'."}
	faultNumber        = fault{"SC1012", "Syntax error, invalid numeric value token '%s'."}

	faultCount          = fault{"SC2063", "The count value provided for %s must be a non-negative integer."}
	faultAggregatePlace = fault{"SC2103", "Aggregate functions are not allowed in the %s clause."}
	faultGroupSubquery  = fault{"SC2104", "Subqueries are not allowed in the GROUP BY clause."}
	// by Java's HybridSearchQueryTest
	faultRankSort  = fault{"SC2222", "Specifying a sort order (ASC or DESC) in the ORDER BY RANK clause is not allowed."}
	faultRankGroup = fault{"SC2226",
		"The ORDER BY RANK clause is not allowed with GROUP BY, DISTINCT or aggregate functions."}
)
