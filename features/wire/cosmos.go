package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// CosmosCall is one request to the items of a container of Cosmos DB, in words.
type CosmosCall struct {
	Operation string // Query, Read, Create, Upsert, Replace, Patch, Delete, Batch, ChangeFeed
	Container string
	// Partition is the partition key: a string as it is, anything else, and a key of several levels, as JSON. Whole
	// says that there is none: the request is about all partitions.
	Partition string
	Whole     bool
	Item      string   // of a request about one
	SQL       string   // of a query, with parameters filled in and spaces between words only
	Guarded   bool     // it was to be done only if the item has not changed
	Actions   []string // of a batch: the operations, in order
	Status    int      // 0: there was no answer
	Charge    float64  // in request units
}

// String writes the call for a person who looks for another one.
func (c CosmosCall) String() string {
	where := fmt.Sprintf("in the partition %q", c.Partition)
	if c.Whole {
		where = "over all partitions"
	}
	text := fmt.Sprintf("%s of %q %s", c.Operation, c.Container, where)
	if c.Item != "" {
		text += fmt.Sprintf(", the item %q", c.Item)
	}
	if c.Guarded {
		text += ", only if unchanged"
	}
	if c.SQL != "" {
		text += ": " + c.SQL
	}
	if len(c.Actions) > 0 {
		text += ": " + strings.Join(c.Actions, ", ")
	}
	return fmt.Sprintf("%s (%d, %.2f RU)", text, c.Status, c.Charge)
}

// CosmosRecorder writes down what clients of Cosmos DB ask of items, and loses the answers that it is told to. It is
// safe for concurrent use.
type CosmosRecorder struct {
	mu    sync.Mutex
	calls []CosmosCall

	lose   losses[CosmosCall]
	before interruptions[CosmosCall]
}

// Options adds the recorder to a client's options. One call is one call, however often the client tries.
func (r *CosmosRecorder) Options(o azcosmos.ClientOptions) *azcosmos.ClientOptions {
	o.PerCallPolicies = append(o.PerCallPolicies, recording{r})
	o.PerRetryPolicies = append(o.PerRetryPolicies, losing{r})
	return &o
}

// Lose loses the answers of the next n requests that match: they have their effect, the client sees a cut connection.
func (r *CosmosRecorder) Lose(n int, match func(CosmosCall) bool) { r.lose.add(n, match) }

// Calls returns what was asked since the last Reset, in the order in which the answers came.
func (r *CosmosRecorder) Calls() []CosmosCall {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls)
}

// Reset forgets the calls so far.
func (r *CosmosRecorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = nil
}

// recording is the policy that writes calls down.
type recording struct{ *CosmosRecorder }

// Do implements policy.Policy.
func (r recording) Do(req *policy.Request) (*http.Response, error) {
	call, about := cosmosCall(req)
	if !about {
		return req.Next()
	}
	if err := r.before.run(call); err != nil {
		return nil, err
	}
	res, err := req.Next()
	if res != nil {
		call.Status = res.StatusCode
		call.Charge, _ = strconv.ParseFloat(res.Header.Get("x-ms-request-charge"), 64) // 0 where it is not said
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, call)
	return res, err
}

// losing is the policy, below the client's tries, that loses answers.
type losing struct{ *CosmosRecorder }

// Do implements policy.Policy.
func (l losing) Do(req *policy.Request) (*http.Response, error) {
	call, about := cosmosCall(req)
	lose := about && l.lose.take(call)
	res, err := req.Next()
	if lose {
		return lost(res, err)
	}
	return res, err
}

// cosmosCall describes a request; about is false of one that is not about items.
func cosmosCall(req *policy.Request) (call CosmosCall, about bool) {
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
		call.Operation, call.SQL = "Query", filled(body)
	case flag("x-ms-cosmos-is-batch-request"):
		call.Operation, call.Actions = "Batch", actions(body)
	case raw.Header.Get("A-IM") != "":
		call.Operation = "ChangeFeed"
	case flag("x-ms-documentdb-is-upsert"):
		call.Operation = "Upsert"
	default:
		call.Operation = map[string]string{
			http.MethodGet: "Read", http.MethodPost: "Create", http.MethodPut: "Replace", http.MethodPatch: "Patch", http.MethodDelete: "Delete",
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

// partition is the partition key of a header.
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

// filled is a query with its parameters filled in, on one line.
func filled(body []byte) string {
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

var parameter = regexp.MustCompile(`@\w+`)

// literal is a value as SQL has it: strings in single quotes.
func literal(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return "'" + strings.ReplaceAll(text, "'", `\'`) + "'"
	}
	return string(value)
}

// OneLine is a text with single spaces between its words.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// actions are a batch's operations in words: Create, or Replace only if unchanged.
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
			all[i] += " only if unchanged"
		}
	}
	return all
}
