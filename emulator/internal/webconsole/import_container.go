package webconsole

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

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

func (t *containerTarget) path() string { return containerPath(t.database, t.name) }

// containerPath returns the escaped path of a container.
func containerPath(database, name string) string {
	return "/dbs/" + url.PathEscape(database) + "/colls/" + url.PathEscape(name)
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
