package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// CosmosCall is one request to the items of a Cosmos DB container, as text.
type CosmosCall struct {
	Operation string // Query, Read, Create, Upsert, Replace, Patch, Delete, Batch, ChangeFeed
	Container string
	// Partition is the partition key: a string as it is, anything else, including a hierarchical key, as JSON. Whole is
	// set if there is none, because the request covers all partitions.
	Partition string
	Whole     bool
	Item      string   // id of the item, for a request about one
	SQL       string   // text of a query, with parameters substituted and single spaces between words
	Guarded   bool     // it was conditional on the item being unchanged
	Actions   []string // operations of a batch, in order
	Status    int      // 0: no response
	Charge    float64  // in request units
}

// String returns the call as text, for error messages.
func (c CosmosCall) String() string {
	where := fmt.Sprintf("in the partition %q", c.Partition)
	if c.Whole {
		where = "over all partitions"
	}
	operation := c.Operation
	if c.Guarded {
		operation = conditional + operation
	}
	text := fmt.Sprintf("%s of %q %s", operation, c.Container, where)
	if c.Item != "" {
		text += fmt.Sprintf(", the item %q", c.Item)
	}
	if c.SQL != "" {
		text += ": " + c.SQL
	}
	if len(c.Actions) > 0 {
		text += ": " + strings.Join(c.Actions, ", ")
	}
	return fmt.Sprintf("%s (%d, %.2f RU)", text, c.Status, c.Charge)
}

// CosmosRecorder records the requests of Cosmos DB clients to items, and drops responses on request. It is safe for
// concurrent use.
type CosmosRecorder struct {
	mu    sync.Mutex
	calls []CosmosCall

	drops responseDrops[CosmosCall]
	hooks hooks[CosmosCall]
}

// Options adds the recorder to a client's options. A call counts once, however often the client retries.
func (r *CosmosRecorder) Options(o azcosmos.ClientOptions) *azcosmos.ClientOptions {
	o.PerCallPolicies = append(o.PerCallPolicies, recordPolicy{r})
	o.PerRetryPolicies = append(o.PerRetryPolicies, dropPolicy{r})
	return &o
}

// DropResponses drops the responses to the next n requests that match: the requests take effect, and the client sees a
// closed connection.
func (r *CosmosRecorder) DropResponses(n int, match func(CosmosCall) bool) { r.drops.add(n, match) }

// PendingDrops returns how many responses are still to be dropped.
func (r *CosmosRecorder) PendingDrops() int { return r.drops.left() }

// Calls returns the calls since the last Reset, in the order of their responses.
func (r *CosmosRecorder) Calls() []CosmosCall {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// Reset clears the recorded calls.
func (r *CosmosRecorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = nil
}

// recordPolicy is the policy that records calls.
type recordPolicy struct{ *CosmosRecorder }

// Do implements policy.Policy.
func (r recordPolicy) Do(req *policy.Request) (*http.Response, error) {
	call, isItemCall := cosmosCall(req)
	if !isItemCall {
		return req.Next()
	}
	if err := r.hooks.run(call); err != nil {
		return nil, err
	}
	res, err := req.Next()
	if res != nil {
		call.Status = res.StatusCode
		call.Charge, _ = strconv.ParseFloat(res.Header.Get("x-ms-request-charge"), 64) // 0 if the header is missing
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call)
	return res, err
}

// dropPolicy is the policy that drops responses. It runs for each try.
type dropPolicy struct{ *CosmosRecorder }

// Do implements policy.Policy.
func (l dropPolicy) Do(req *policy.Request) (*http.Response, error) {
	call, isItemCall := cosmosCall(req)
	drop := isItemCall && l.drops.take(call)
	res, err := req.Next()
	if drop {
		return dropResponse(res, err)
	}
	return res, err
}

// cosmosCall returns the call of a request, and whether the request is about items.
func cosmosCall(req *policy.Request) (call CosmosCall, isItemCall bool) {
	raw := req.Raw()
	parts := strings.Split(strings.Trim(raw.URL.EscapedPath(), "/"), "/")
	if len(parts) < 5 || parts[4] != "docs" {
		return call, false
	}
	call.Container = unescaped(parts[3])
	if len(parts) > 5 {
		call.Item = unescaped(parts[5])
	}
	call.Partition, call.Whole = partition(raw.Header.Get("x-ms-documentdb-partitionkey"))
	call.Guarded = raw.Header.Get("If-Match") != ""
	body := bodyOf(req)
	switch flag := func(name string) bool { return strings.EqualFold(raw.Header.Get(name), "true") }; {
	case flag("x-ms-documentdb-query"), flag("x-ms-documentdb-isquery"):
		call.Operation, call.SQL = "Query", sqlWithValues(body)
	case flag("x-ms-cosmos-is-batch-request"):
		call.Operation, call.Actions = "Batch", actions(body)
	case raw.Header.Get("A-IM") != "":
		call.Operation = "ChangeFeed"
	case flag("x-ms-documentdb-is-upsert"):
		call.Operation = "Upsert"
	default:
		call.Operation = map[string]string{
			http.MethodGet: "Read", http.MethodPost: "Create", http.MethodPut: "Replace", http.MethodPatch: "Patch",
			http.MethodDelete: "Delete",
		}[raw.Method]
	}
	if call.Operation == "Create" || call.Operation == "Upsert" {
		call.Item = idIn(body)
	}
	return call, true
}

func unescaped(segment string) string {
	text, err := url.PathUnescape(segment)
	if err != nil {
		return segment
	}
	return text
}

// partition returns the partition key in a header.
func partition(header string) (key string, whole bool) {
	if header == "" {
		return "", true
	}
	var one []string
	if json.Unmarshal([]byte(header), &one) == nil && len(one) == 1 {
		return one[0], false
	}
	return header, false
}

func bodyOf(req *policy.Request) []byte {
	body := req.Body()
	if body == nil {
		return nil
	}
	text, err := io.ReadAll(body)
	if err != nil || req.RewindBody() != nil {
		return nil
	}
	return text
}

func idIn(body []byte) string {
	var item struct{ ID string }
	if json.Unmarshal(body, &item) != nil {
		return ""
	}
	return item.ID
}

// sqlWithValues returns a query with its parameters substituted, on one line.
func sqlWithValues(body []byte) string {
	var query struct {
		Query      string
		Parameters []struct {
			Name  string
			Value json.RawMessage
		}
	}
	if json.Unmarshal(body, &query) != nil {
		return string(body)
	}
	values := map[string]string{}
	for _, p := range query.Parameters {
		values[p.Name] = literal(p.Value)
	}
	text := parameter.ReplaceAllStringFunc(query.Query, func(name string) string {
		if value, ok := values[name]; ok {
			return value
		}
		return name
	})
	return OneLine(text)
}

var parameter = lazyregexp.New(`@\w+`)

// literal returns a value as a SQL literal, with strings in single quotes.
func literal(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return "'" + strings.ReplaceAll(text, "'", `\'`) + "'"
	}
	return string(value)
}

// OneLine returns a text with single spaces between its words.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// conditional precedes the name of an operation with If-Match.
const conditional = "conditional "

// actions returns the operations of a batch as text: Create, or conditional Replace.
func actions(body []byte) []string {
	var batch []struct {
		OperationType string
		IfMatch       string
	}
	if json.Unmarshal(body, &batch) != nil {
		return nil
	}
	all := make([]string, len(batch))
	for i, one := range batch {
		if all[i] = one.OperationType; one.IfMatch != "" {
			all[i] = conditional + all[i]
		}
	}
	return all
}
