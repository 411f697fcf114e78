package metamorphic

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sort"
	"strings"
)

// The Cosmos DB container has six logical partitions of four items, a unique key, TTL, an all versions and deletes
// change feed and a stored procedure.
const (
	cosmosKeys  = 6
	cosmosItems = 4

	docs = "/dbs/db/colls/c/docs"

	bump = `function bump(id) { var c = getContext().getCollection(); c.queryDocuments(c.getSelfLink(), "SELECT * FROM c", function(e, all) { if (e) throw e;
		getContext().getResponse().setBody(all.length);
		all.forEach(function(d) { if (d.id === id) { d.n = (d.n || 0) + 1; c.replaceDocument(d._self, d, function(e) { if (e) throw e; }); } }); }); }`
)

func (r *runner) makeContainer() string {
	made := r.azure("POST", "/dbs", `{"id":"db"}`)
	container := r.azure("POST", "/dbs/db/colls",
		`{"id":"c","partitionKey":{"paths":["/pk"],"version":2},"defaultTtl":-1,`+
			`"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]},"changeFeedPolicy":{"retentionDuration":20160}}`,
		"x-ms-offer-throughput", "10000") // no history uses as much while the clock stands still
	procedure := r.azure("POST", "/dbs/db/colls/c/sprocs",
		string(must(json.Marshal(map[string]string{"id": "bump", "body": bump}))))
	if procedure.status != 201 {
		r.problem("creating the container: %s %s", container.normal(), procedure.normal())
	}
	r.feed.at = "*"
	r.follow()
	return fmt.Sprint(made.status, container.status, procedure.status)
}

// cosmosGenerator generates Cosmos DB operations.
type cosmosGenerator struct{ *rand.Rand }

func (g cosmosGenerator) pick() (pk, id string) {
	return fmt.Sprint("p", g.IntN(cosmosKeys)), fmt.Sprint(g.IntN(cosmosItems))
}

func partition(pk string) string { return `["` + pk + `"]` }

// doc returns a random item. One in eight expires within two hours.
func (g cosmosGenerator) doc(pk, id string) string {
	more := ""
	if g.IntN(8) == 0 {
		more = fmt.Sprintf(`,"ttl":%d`, 1+g.IntN(7200))
	}
	return fmt.Sprintf(`{"id":"%s","pk":"%s","n":%d,"email":"%d@example.com","tags":["x"]%s}`, id, pk, g.IntN(50),
		g.IntN(12), more)
}

// write returns an operation on one item.
func (g cosmosGenerator) write() operation {
	pk, id := g.pick()
	item, matches := docs+"/"+id, g.IntN(3) == 0
	switch g.IntN(6) {
	case 0:
		return onItem("DELETE", item, "", pk, id, matches)
	case 1:
		return onItem("PUT", item, g.doc(pk, id), pk, id, matches)
	case 2:
		return onItem("PATCH", item,
			fmt.Sprintf(`{"operations":[{"op":"incr","path":"/n","value":%d},{"op":"add","path":"/tags/-","value":"y"}]}`,
				g.IntN(5)), pk, id, matches)
	case 3:
		return onItem("POST", docs, g.doc(pk, id), pk, id, false)
	}
	return onItem("POST", docs, g.doc(pk, id), pk, id, false, "x-ms-documentdb-is-upsert", "True")
}

// onItem returns a write of an item. If matches is set, it requires the etag that was answered last.
func onItem(method, path, body, pk, id string, matches bool, headers ...string) operation {
	name := "c/" + pk + "/" + id
	return operation{name: fmt.Sprint(method, " ", path, " ", pk, " ", body, " ", headers), group: "c/" + pk,
		writes: []string{name}, run: func(r *runner) string {
			r.mu.Lock()
			etag := r.etags[name]
			r.mu.Unlock()
			all := append([]string{"x-ms-documentdb-partitionkey", partition(pk)}, headers...)
			if matches && etag != "" {
				all = append(all, "If-Match", etag)
			}
			if method == "PATCH" {
				all = append(all, "Content-Type", "application/json_patch+json")
			}
			answer := r.azure(method, path, body, all...)
			if answer.status < 300 {
				r.mu.Lock()
				r.etags[name] = answer.text("_etag")
				r.mu.Unlock()
			}
			return answer.normal() + " " + answer.header.Get("X-Ms-Request-Charge")
		}}
}

// batch returns a transactional batch, or a call of a stored procedure.
func (g cosmosGenerator) batch() operation {
	pk, id := g.pick()
	headers := []string{"x-ms-documentdb-partitionkey", partition(pk)}
	var writes []string
	for i := range cosmosItems {
		writes = append(writes, fmt.Sprint("c/", pk, "/", i))
	}
	if g.IntN(3) == 0 {
		return operation{name: "bump " + pk + " " + id, group: "c/" + pk, writes: writes, run: func(r *runner) string {
			return r.azure("POST", "/dbs/db/colls/c/sprocs/bump", `["`+id+`"]`, headers...).normal()
		}}
	}
	var members []string
	for range 2 + g.IntN(3) {
		_, id := g.pick()
		switch g.IntN(4) {
		case 0:
			members = append(members, `{"operationType":"Create","resourceBody":`+g.doc(pk, id)+`}`)
		case 1:
			members = append(members, `{"operationType":"Delete","id":"`+id+`"}`)
		default:
			members = append(members, `{"operationType":"Upsert","resourceBody":`+g.doc(pk, id)+`}`)
		}
	}
	body := "[" + strings.Join(members, ",") + "]"
	all := append([]string{"x-ms-cosmos-is-batch-request", "True", "x-ms-cosmos-batch-atomic", "True"}, headers...)
	return operation{name: "batch " + pk + " " + body, group: "c/" + pk, writes: writes, run: func(r *runner) string {
		answer := r.azure("POST", docs, body, all...)
		var results []any
		if err := json.Unmarshal(answer.body, &results); err != nil {
			return answer.normal()
		}
		for i, one := range results { // whose etags stand outside the items
			delete(one.(map[string]any), "eTag")
			results[i] = one
		}
		return fmt.Sprint(answer.status, compact(results))
	}}
}

// read returns an operation that reads a logical partition.
func (g cosmosGenerator) read() operation {
	pk, id := g.pick()
	eventual := g.IntN(2) == 0
	headers := []string{"x-ms-documentdb-partitionkey", partition(pk)}
	if eventual {
		headers = append(headers, "x-ms-consistency-level", "Eventual")
	}
	if g.IntN(2) == 0 {
		name := "c/" + pk + "/" + id
		return operation{name: fmt.Sprint("GET ", name, " ", eventual), group: "c/" + pk, eventual: eventual,
			run: func(r *runner) string {
				answer := r.azure("GET", docs+"/"+id, "", headers...)
				if eventual && r.config.lags {
					r.shownDoc(name, answer)
				}
				return answer.normal()
			}}
	}
	return queryOf(fmt.Sprintf("SELECT * FROM c WHERE c.n >= %d ORDER BY c.n", g.IntN(30)), "c/"+pk, 1+g.IntN(4),
		eventual, headers)
}

func (r *runner) shownDoc(name string, answer reply) {
	if answer.status == 404 {
		r.wasThere(name, absent)
		return
	}
	r.wasThere(name, canonical(answer.body))
}

// readMany returns an operation that reads the container.
func (g cosmosGenerator) readMany() operation {
	switch g.IntN(4) {
	case 0:
		return operation{name: "follow the change feed of all versions", run: (*runner).follow}
	case 1:
		return operation{name: "read the change feed", run: func(r *runner) string {
			return sorted(r.feedOf("A-IM", "Incremental Feed"))
		}}
	case 2:
		return operation{name: "read all items", run: func(r *runner) string { return sorted(r.feedOf()) }}
	}
	eventual := g.IntN(2) == 0
	headers := []string{"x-ms-documentdb-query-enablecrosspartition", "True"}
	if eventual {
		headers = append(headers, "x-ms-consistency-level", "Eventual")
	}
	return queryOf(fmt.Sprintf("SELECT * FROM c WHERE c.email > '%d'", g.IntN(9)), "", 1+g.IntN(9), eventual, headers)
}

// queryOf returns an operation that reads all pages of a query. The order of an unordered result is not part of the
// response.
func queryOf(text, lane string, size int, eventual bool, headers []string) operation {
	body := string(must(json.Marshal(map[string]any{"query": text, "parameters": []any{}})))
	all := append([]string{"Content-Type", "application/query+json", "x-ms-documentdb-isquery", "True",
		"x-ms-max-item-count", fmt.Sprint(size)}, headers...)
	return operation{name: fmt.Sprint(text, " ", lane, " ", eventual), group: lane, eventual: eventual,
		run: func(r *runner) string {
			var rows []string
			token := ""
			for range 200 {
				request := all
				if token != "" {
					request = append(all[:len(all):len(all)], "x-ms-continuation", token)
				}
				page := r.azure("POST", docs, body, request...)
				if page.status != 200 {
					return page.normal()
				}
				seen := map[string]bool{}
				for _, one := range page.list("Documents") {
					name := docName(one.(map[string]any))
					if seen[name] {
						r.problem("item %s is twice on a page", name)
					}
					if seen[name] = true; eventual && r.config.lags {
						r.wasThere(name, compact(one))
					}
					rows = append(rows, compact(one))
				}
				if token = page.header.Get("X-Ms-Continuation"); token == "" {
					break
				}
			}
			if !strings.Contains(text, "ORDER BY") {
				sort.Strings(rows)
			}
			return strings.Join(rows, "\n")
		}}
}

// feedOf reads a feed to its end and returns the items by name.
func (r *runner) feedOf(headers ...string) map[string]string {
	items, at, token := map[string]string{}, "", ""
	for range 1000 {
		all := append([]string{"x-ms-max-item-count", "5"}, headers...)
		if at != "" {
			all = append(all, "If-None-Match", at)
		}
		if token != "" {
			all = append(all, "x-ms-continuation", token)
		}
		page := r.azure("GET", docs, "", all...)
		if page.status != 200 && page.status != 304 {
			r.problem("reading a feed: %s", page.normal())
		}
		for _, one := range page.list("Documents") {
			items[docName(one.(map[string]any))] = compact(one)
		}
		if len(headers) > 0 {
			at = page.header.Get("Etag")
		}
		token = page.header.Get("X-Ms-Continuation")
		if page.status != 200 || at == "" && token == "" {
			break
		}
	}
	return items
}

func sorted(items map[string]string) string {
	var all []string
	for name, it := range items {
		all = append(all, name+": "+it)
	}
	sort.Strings(all)
	return strings.Join(all, "\n")
}

func docName(v map[string]any) string { return fmt.Sprint("c/", v["pk"], "/", v["id"]) }

// readCosmos returns the current state of an item.
func (r *runner) readCosmos(name string) string {
	parts := strings.Split(name, "/")
	answer := r.azure("GET", docs+"/"+parts[2], "", "x-ms-documentdb-partitionkey", partition(parts[1]))
	if answer.status == 404 {
		return absent
	}
	return canonical(answer.body)
}
