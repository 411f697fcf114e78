package usage

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// cosmosPath describes how a Cosmos DB request accesses its documents: the method and the container, whether it stays
// within one partition, and a query's condition with a ? for each value.
func cosmosPath(r *http.Request, body io.ReadSeeker) string {
	container, sort := cosmosResource(r.URL.Path)
	if r.Header.Get("Content-Type") != "application/query+json" {
		return r.Method + " " + container + sort
	}
	text := "Query " + container
	if r.Header.Get("x-ms-documentdb-partitionkey") == "" {
		text += " in all partitions"
	}
	return text + condition(body)
}

// cosmosResource returns the container of a request and the resource type below it, without the ids of documents. The
// type is empty for docs.
func cosmosResource(path string) (container, sort string) {
	parts := strings.Split(strings.Trim(path, "/"), "/") // dbs/DB/colls/CONTAINER/docs/ID
	if len(parts) < 4 {
		return "/" + strings.Join(parts, "/"), ""
	}
	if len(parts) > 4 && parts[4] != "docs" {
		sort = " " + parts[4]
	}
	return parts[3], sort
}

var (
	whereClause = lazyregexp.New(`(?is)\bwhere\b.*$`)
	parameter   = lazyregexp.New(`@[A-Za-z0-9_]+`)
)

// condition returns the WHERE clause of a query, with everything after it.
func condition(body io.ReadSeeker) string {
	var query struct{ Query string }
	if body == nil {
		return ""
	}
	if _, err := body.Seek(0, io.SeekStart); err != nil || json.NewDecoder(body).Decode(&query) != nil {
		return ""
	}
	where := parameter.ReplaceAllString(whereClause.FindString(query.Query), "?")
	if where == "" {
		return ""
	}
	return " " + strings.Join(strings.Fields(where), " ")
}

// requestCharge returns the request charge of a Cosmos DB response, in request units.
func requestCharge(res *http.Response) float64 {
	if res == nil {
		return 0
	}
	units, err := strconv.ParseFloat(res.Header.Get("x-ms-request-charge"), 64)
	if err != nil {
		return 0
	}
	return units
}
