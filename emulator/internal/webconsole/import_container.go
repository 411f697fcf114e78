package webconsole

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/bulkload"
	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// containerTarget writes documents to a container of Cosmos DB.
type containerTarget struct {
	*fileImport
	database, name string
	paths          []string // of the partition key
}

var errCosmosOff = errors.New("the emulator has no Cosmos DB: start it with --cosmos-addr")

// openContainer finds a container. Errors: *serviceRefusal.
func (f *fileImport) openContainer(database, name string) (*containerTarget, error) {
	if f.Cosmos == nil {
		return nil, errCosmosOff
	}
	t := &containerTarget{fileImport: f, database: database, name: name}
	response := t.cosmos(f.request.Context(), http.MethodGet, t.path(), nil, nil)
	if response.status != http.StatusOK {
		return nil, newCosmosRefusal(response)
	}
	var container struct{ PartitionKey struct{ Paths []string } }
	if err := json.Unmarshal(response.body.Bytes(), &container); err != nil {
		return nil, err
	}
	t.paths = container.PartitionKey.Paths
	return t, nil
}

// path returns the escaped path of the container.
func (t *containerTarget) path() string {
	return "/dbs/" + url.PathEscape(t.database) + "/colls/" + url.PathEscape(t.name)
}

// cosmos sends a request to Cosmos DB, which signs it itself.
func (t *containerTarget) cosmos(ctx context.Context, method, path string, header map[string]string,
	body []byte) *capturedResponse {
	decoded, err := url.PathUnescape(path)
	if err != nil { // never: PathEscape made it
		decoded = path
	}
	call := serviceRequest(t.request.WithContext(ctx), &url.URL{Path: decoded, RawPath: path})
	call.Method, call.Body, call.ContentLength = method, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	call.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		call.Header.Set(name, value)
	}
	response := newCapturedResponse()
	t.Cosmos.ServeHTTP(response, call)
	return response
}

// newCosmosRefusal returns the error of a response. Cosmos DB writes more lines after the first, with ids of the
// request.
func newCosmosRefusal(response *capturedResponse) *serviceRefusal {
	var body struct{ Code, Message string }
	if err := json.Unmarshal(response.body.Bytes(), &body); err != nil {
		body.Message = fmt.Sprintf("Cosmos DB responded with status %d", response.status)
	}
	message, _, _ := strings.Cut(body.Message, "\r\n")
	return &serviceRefusal{response.status, body.Code, cmp.Or(message, body.Code, http.StatusText(response.status))}
}

// charge returns the request units of a response. Cosmos DB's headers are in lower case.
func (c *capturedResponse) charge() float64 {
	for name, values := range c.header {
		if strings.EqualFold(name, "x-ms-request-charge") {
			charge, _ := strconv.ParseFloat(values[0], 64) // always a number
			return charge
		}
	}
	return 0
}

// BatchSize implements bulkload.Target: documents are upserted one by one.
func (t *containerTarget) BatchSize() int { return 1 }

// Key implements bulkload.Target.
func (t *containerTarget) Key(r *datafile.Record) (string, error) {
	return datafile.DocumentIdentity(r, t.paths)
}

// Write implements bulkload.Target.
func (t *containerTarget) Write(ctx context.Context, batch []datafile.Record) (bulkload.Result, error) {
	document := batch[0].Item
	key, err := datafile.PartitionKey(document, t.paths)
	if err != nil {
		return bulkload.Result{}, &bulkload.Refused{Reason: err.Error()}
	}
	response := t.cosmos(ctx, http.MethodPost, t.path()+"/docs", map[string]string{
		"x-ms-documentdb-is-upsert": "true", "x-ms-documentdb-partitionkey": datafile.PartitionKeyHeader(key),
	}, datafile.AppendJSON(nil, document, false))
	switch response.status {
	case http.StatusOK, http.StatusCreated:
		return bulkload.Result{Cost: response.charge()}, nil
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, statusRetryWith:
		return bulkload.Result{Throttled: batch}, nil
	case http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge:
		return bulkload.Result{}, &bulkload.Refused{Reason: newCosmosRefusal(response).Error()}
	}
	return bulkload.Result{}, newCosmosRefusal(response)
}

// statusRetryWith (449) is specific to Cosmos DB: two writes conflicted, and the request may be sent again.
const statusRetryWith = 449
