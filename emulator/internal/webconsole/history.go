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
	parts := strings.Split(path, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil {
			control.WriteProblem(w, http.StatusBadRequest, "the path is not escaped correctly")
			return
		}
		parts[i] = name
	}
	if view := strings.Join(parts[min(2, len(parts)):], "/"); parts[0] == "dynamodb" && len(parts) > 1 {
		c.serveTableHistory(w, r, parts[1], view)
		return
	}
	control.WriteProblem(w, http.StatusNotFound,
		"the path must be api/history/dynamodb/ and the name of a table, perhaps with /items, /item or /difference")
}

// tableViews are the operations of DynamoDB's history, by the rest of the path after the table.
var tableViews = map[string]string{"": "Span", "items": "Items", "item": "Versions", "difference": "Difference"}

// serveTableHistory serves earlier states of a table.
func (c *console) serveTableHistory(w http.ResponseWriter, r *http.Request, table, view string) {
	operation, ok := tableViews[view]
	switch {
	case !ok:
		control.WriteProblem(w, http.StatusNotFound, "a table's history has items, item and difference, not "+view)
		return
	case !isRead(r):
		refuseMethod(w, http.MethodGet, http.MethodHead)
		return
	}
	body, problem := historyRequest(table, r.URL.Query())
	if problem != "" {
		control.WriteProblem(w, http.StatusBadRequest, problem)
		return
	}
	call := serviceRequest(r, &url.URL{Path: "/" + operation})
	call.Method, call.Host, call.Body, call.ContentLength = http.MethodPost, internalHost,
		io.NopCloser(bytes.NewReader(body)), int64(len(body))
	if c.sign(w, r, call, serviceName) {
		problems := &serviceProblems{ResponseWriter: w}
		c.History.ServeHTTP(problems, call)
		problems.finish()
	}
}

// historyMembers are the members of requests for earlier states, by parameter.
var historyMembers = map[string]string{"at": "At", "from": "From", "index": "IndexName", "key": "Key", "limit": "Limit",
	"pk": "PartitionKey", "start": "Start", "to": "To"}

// historyRequest returns the request for the parameters of a query, or the problem with them. Empty ones count as
// missing.
func historyRequest(table string, parameters url.Values) (body []byte, problem string) {
	members := map[string]any{"TableName": table}
	for name, member := range historyMembers {
		value := parameters.Get(name)
		if value == "" {
			continue
		}
		members[member] = value
		switch name {
		case "key", "pk":
			if !json.Valid([]byte(value)) {
				return nil, name + ` must be DynamoDB JSON, such as {"id":{"S":"1"}} for key and {"S":"1"} for pk`
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
	_, name, _ := strings.Cut(errorType, "#")
	switch name {
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
