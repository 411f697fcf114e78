package webconsole

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// serveHistory serves earlier states of tables. The path is relative to api/history/ and escaped, such as
// dynamodb/orders/items.
func (c *console) serveHistory(w http.ResponseWriter, r *http.Request, path string) {
	parts, ok := unescapedParts(w, path)
	if !ok {
		return
	}
	rest := func(n int) string { return strings.Join(parts[min(n, len(parts)):], "/") }
	switch {
	case parts[0] == "dynamodb" && len(parts) > 1:
		c.serveTableHistory(w, r, parts[1], rest(2))
	case parts[0] == "cosmos" && len(parts) > 2:
		c.serveContainerHistory(w, r, parts[1], parts[2], rest(3))
	default:
		control.WriteProblem(w, http.StatusNotFound, "the path must be api/history/dynamodb/ and the name of a table, "+
			"or api/history/cosmos/ and those of a database and a container, perhaps with /items, /item or /difference")
	}
}

// unescapedParts returns the parts of a path. If one is not escaped correctly, it responds with the problem.
func unescapedParts(w http.ResponseWriter, path string) (parts []string, ok bool) {
	parts = strings.Split(path, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(escapedID(part))
		if err != nil {
			control.WriteProblem(w, http.StatusBadRequest, "the path is not escaped correctly")
			return nil, false
		}
		parts[i] = name
	}
	return parts, true
}

// historyViews are the operations that show earlier states, by the rest of the path after the table or container.
var historyViews = map[string]string{"": "Span", "items": "Items", "item": "Versions", "difference": "Difference"}

// serveTableHistory serves earlier states of a table.
func (c *console) serveTableHistory(w http.ResponseWriter, r *http.Request, table, view string) {
	operation, ok := historyViews[view]
	switch {
	case !ok:
		control.WriteProblem(w, http.StatusNotFound, "a table's history has items, item and difference, not "+view)
		return
	case !isRead(r):
		refuseMethod(w, http.MethodGet, http.MethodHead)
		return
	}
	body, problem := historyRequest(map[string]any{"TableName": table}, r.URL.Query())
	if problem != "" {
		control.WriteProblem(w, http.StatusBadRequest, problem)
		return
	}
	if call := historyCall(r, operation, body); c.sign(w, r, call, serviceName) {
		serveProblems(w, c.History, call)
	}
}

// serveContainerHistory serves earlier states of a container, and restores one to a new container.
func (c *console) serveContainerHistory(w http.ResponseWriter, r *http.Request, database, container, view string) {
	operation, ok := historyViews[view]
	switch {
	case c.CosmosHistory == nil:
		control.WriteProblem(w, http.StatusNotFound, cosmosOff)
		return
	case view == "restore":
		c.restoreContainer(w, r, database, container)
		return
	case !ok:
		control.WriteProblem(w, http.StatusNotFound,
			"a container's history has items, item, difference and restore, not "+view)
		return
	case !isRead(r):
		refuseMethod(w, http.MethodGet, http.MethodHead)
		return
	}
	body, problem := historyRequest(map[string]any{"Database": database, "Container": container}, r.URL.Query())
	if problem != "" {
		control.WriteProblem(w, http.StatusBadRequest, problem)
		return
	}
	serveProblems(w, c.CosmosHistory, historyCall(r, operation, body))
}

// maxRestore is the size in bytes of the largest request to restore a container.
const maxRestore = 4 << 10

// restoreContainer restores an earlier state of a container to a new one.
func (c *console) restoreContainer(w http.ResponseWriter, r *http.Request, database, container string) {
	var in struct{ At, To string }
	switch {
	case r.Method != http.MethodPost:
		refuseMethod(w, http.MethodPost)
		return
	case json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRestore)).Decode(&in) != nil:
		control.WriteProblem(w, http.StatusBadRequest, `the body must be {"at":"a time","to":"name of the new container"}`)
		return
	}
	body, err := json.Marshal(map[string]string{"Database": database, "Container": container, "At": in.At,
		"NewContainer": in.To})
	if err != nil { // names always can be written
		control.WriteProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	serveProblems(w, c.CosmosHistory, historyCall(r, "Restore", body))
}

// historyCall returns the request of an operation. It is not signed.
func historyCall(r *http.Request, operation string, body []byte) *http.Request {
	call := serviceRequest(r, &url.URL{Path: "/" + operation})
	call.Method, call.Host, call.Body, call.ContentLength = http.MethodPost, internalHost,
		io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return call
}

// serveProblems passes a request to a service, whose errors become problem details.
func serveProblems(w http.ResponseWriter, service http.Handler, call *http.Request) {
	problems := &serviceProblems{ResponseWriter: w}
	service.ServeHTTP(problems, call)
	problems.finish()
}

// historyMembers are the members of requests for earlier states, by parameter.
var historyMembers = map[string]string{"at": "At", "from": "From", "index": "IndexName", "key": "Key", "limit": "Limit",
	"pk": "PartitionKey", "start": "Start", "to": "To"}

// historyRequest returns the request with some members and those of a query's parameters, or the problem with them.
// Empty ones count as missing.
func historyRequest(members map[string]any, parameters url.Values) (body []byte, problem string) {
	for name, member := range historyMembers {
		value := parameters.Get(name)
		if value == "" {
			continue
		}
		members[member] = value
		switch name {
		case "key", "pk":
			if !json.Valid([]byte(value)) {
				return nil, name + ` must be JSON, such as {"id":{"S":"1"}} for key and {"S":"1"} for pk, or in Cosmos DB {"id":"1","partitionKey":["1"]} and ["1"]`
			}
			members[member] = json.RawMessage(value)
		case "limit":
			n, err := strconv.Atoi(value)
			if err != nil {
				return nil, "limit must be a number"
			}
			members[member] = n
		}
	}
	body, err := json.Marshal(members)
	if err != nil { // names and numbers always can be written
		return nil, err.Error()
	}
	return body, ""
}

// serviceProblems is a response of DynamoDB whose errors become problem details.
type serviceProblems struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer // of an error
}

// Unwrap implements what http.ResponseController needs.
func (p *serviceProblems) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (p *serviceProblems) WriteHeader(status int) {
	if p.status = status; status == http.StatusOK {
		p.Header().Set("Content-Type", "application/json")
		p.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (p *serviceProblems) Write(body []byte) (int, error) {
	if p.status == 0 {
		p.WriteHeader(http.StatusOK)
	}
	if p.status == http.StatusOK {
		return p.ResponseWriter.Write(body)
	}
	return p.body.Write(body)
}

// finish writes the problem, if there is one.
func (p *serviceProblems) finish() {
	if p.status == http.StatusOK || p.status == 0 {
		return
	}
	var failure struct {
		Type    string `json:"__type"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(p.body.Bytes(), &failure); err != nil {
		failure.Message = "the emulator could not answer"
	}
	for name := range p.Header() {
		if strings.HasPrefix(name, "X-Amz") || name == "Content-Length" {
			p.Header().Del(name)
		}
	}
	control.WriteProblem(p.ResponseWriter, problemStatus(failure.Type, p.status), failure.Message)
}

// problemStatus returns the status of a problem for an error of DynamoDB, whose own status is 400 for most.
func problemStatus(errorType string, status int) int {
	switch errorType[strings.LastIndexByte(errorType, '#')+1:] { // the name
	case "AccessDeniedException":
		return http.StatusForbidden
	case "ResourceNotFoundException", "PointInTimeRecoveryUnavailableException":
		return http.StatusNotFound
	case "ExpiredTokenException", "IncompleteSignatureException", "InvalidSignatureException",
		"MissingAuthenticationTokenException", "UnrecognizedClientException":
		return http.StatusUnauthorized
	}
	return status
}
