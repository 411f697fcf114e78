package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

// cosmosCases attack the Cosmos DB service.
func cosmosCases() []hostileCase {
	return []hostileCase{
		{name: "looping scripts", clients: 10, prepare: procedure(`function(){ for(;;); }`), send: runScript},
		{name: "memory bombs in scripts", clients: 10,
			prepare: procedure(`function(){ var all = [], s = "x"; for(;;) { s += s + all.length; all.push(s + 1); } }`),
			send:    runScript},
		{name: "many small objects in scripts", clients: 10,
			prepare: procedure(`function(){ var all = []; for(;;) all.push({a: [all.length]}); }`), send: runScript},
		{name: "looping scripts beside changes of tables", clients: 8, prepare: procedure(`function(){ for(;;); }`),
			send: scriptOrTable()},
		{name: "looping functions in queries", clients: 8, prepare: loopingFunction,
			send: queryVictim(`SELECT VALUE udf.loop(c) FROM c`)},
		{name: "cross joins with regular expressions", clients: 4, prepare: wideDocument, send: queryVictim(
			`SELECT VALUE COUNT(1) FROM c JOIN a IN c.a JOIN b IN c.a JOIN d IN c.a WHERE RegexMatch(CONCAT(a,b,d), "(x+x+)+y")`)},
		{name: "nested array subqueries", clients: 8, prepare: wideDocument, send: queryVictim(
			`SELECT ARRAY(SELECT VALUE ARRAY(SELECT VALUE ARRAY(SELECT VALUE d FROM d IN c.a) FROM b IN c.a) FROM a IN c.a) FROM c`)},
		{name: "deep JSON in Cosmos DB", clients: 4, send: upsertVictim(strings.Repeat(`{"a":`, 100_000))},
		{name: "wide documents", clients: 4, send: upsertVictim(`{"id":"wide","pk":"x"` + properties(40_000) + `}`)},
		{name: "indexing policies that change", clients: 2, prepare: manyDocuments, send: changeIndexing()},
		{name: "pollers of a change feed", clients: 200, prepare: manyDocuments, send: pollChanges},
	}
}

const victims = "dbs/live/colls/victim"

// wideDocument creates a document with an array of hundreds of strings.
func wideDocument(a *livenessTest) {
	texts := `"` + strings.Repeat(`xxxxxxxxxxxxxxxxxxxx","`, 499) + `x"`
	a.mustCosmos("docs", victims, "/"+victims+"/docs", `{"id":"1","pk":"x","a":[`+texts+`]}`,
		"X-Ms-Documentdb-Partitionkey", `["x"]`)
}

// manyDocuments fills the victim with documents of 2 KB.
func manyDocuments(a *livenessTest) {
	for i := range 2_000 {
		a.mustCosmos("docs", victims, "/"+victims+"/docs", fmt.Sprintf(`{"id":"%d","pk":"x","n":%d,"m":%d,"text":%q}`, i, i,
			-i, strings.Repeat("x", 2000)), "X-Ms-Documentdb-Partitionkey", `["x"]`)
	}
}

// properties returns that many properties of a document.
func properties(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, `,"a%d":{"b":%d}`, i, i)
	}
	return all.String()
}

func queryVictim(query string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		status, _, err := a.cosmos(ctx, http.MethodPost, "docs", victims, "/"+victims+"/docs",
			fmt.Sprintf(`{"query":%q}`, query),
			"Content-Type", "application/query+json", "X-Ms-Documentdb-Isquery", "true", "X-Ms-Documentdb-Partitionkey", `["x"]`)
		return status, err
	}
}

func upsertVictim(body string) func(context.Context, *livenessTest) (int, error) {
	return func(ctx context.Context, a *livenessTest) (int, error) {
		status, _, err := a.cosmos(ctx, http.MethodPost, "docs", victims, "/"+victims+"/docs", body,
			"X-Ms-Documentdb-Partitionkey", `["x"]`, "X-Ms-Documentdb-Is-Upsert", "true")
		return status, err
	}
}

// procedure creates the stored procedure that runScript runs.
func procedure(body string) func(*livenessTest) {
	return func(a *livenessTest) {
		a.mustCosmos("sprocs", victims, "/"+victims+"/sprocs", fmt.Sprintf(`{"id":"hostile","body":%q}`, body))
	}
}

func runScript(ctx context.Context, a *livenessTest) (int, error) {
	const link = victims + "/sprocs/hostile"
	status, _, err := a.cosmos(ctx, http.MethodPost, "sprocs", link, "/"+link, `[]`, "X-Ms-Documentdb-Partitionkey",
		`["x"]`)
	return status, err
}

// scriptOrTable makes every other client run the script, and the others create and delete tables and containers.
func scriptOrTable() func(context.Context, *livenessTest) (int, error) {
	var n atomic.Int64
	return func(ctx context.Context, a *livenessTest) (int, error) {
		if n.Add(1)%2 == 0 {
			return runScript(ctx, a)
		}
		name := unique("made")
		return first(
			func() (int, string, error) { return a.dynamo(ctx, "CreateTable", fmt.Sprintf(hashTable, name)) },
			func() (int, string, error) {
				return a.dynamo(ctx, "DeleteTable", fmt.Sprintf(`{"TableName":%q}`, name))
			},
			func() (int, string, error) {
				return a.cosmos(ctx, http.MethodPost, "colls", "dbs/live", "/dbs/live/colls",
					fmt.Sprintf(`{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash"}}`, name))
			},
			func() (int, string, error) {
				return a.cosmos(ctx, http.MethodDelete, "colls", "dbs/live/colls/"+name, "/dbs/live/colls/"+name, "")
			},
		)
	}
}

func loopingFunction(a *livenessTest) {
	wideDocument(a)
	a.mustCosmos("udfs", victims, "/"+victims+"/udfs", `{"id":"loop","body":"function(c){ for(;;); }"}`)
}

// changeIndexing replaces the victim's indexing policy repeatedly.
func changeIndexing() func(context.Context, *livenessTest) (int, error) {
	var n atomic.Int64
	return func(ctx context.Context, a *livenessTest) (int, error) {
		composite := `[{"path":"/n","order":"ascending"},{"path":"/m","order":"descending"}]`
		if n.Add(1)%2 == 0 {
			composite = `[{"path":"/m","order":"ascending"},{"path":"/text","order":"descending"}]`
		}
		status, _, err := a.cosmos(ctx, http.MethodPut, "colls", victims,
			"/"+victims, `{"id":"victim","partitionKey":{"paths":["/pk"],"kind":"Hash"},
			"indexingPolicy":{"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],"excludedPaths":[],"compositeIndexes":[`+composite+`]}}`)
		if err != nil || status != http.StatusOK {
			return status, err
		}
		return queryVictim(`SELECT * FROM c ORDER BY c.n ASC, c.m DESC`)(ctx, a)
	}
}

func pollChanges(ctx context.Context, a *livenessTest) (int, error) {
	status, _, err := a.cosmos(ctx, http.MethodGet, "docs", victims, "/"+victims+"/docs", "", "A-Im", "Incremental Feed",
		"X-Ms-Documentdb-Partitionkey", `["x"]`, "X-Ms-Max-Item-Count", "100")
	return status, err
}
