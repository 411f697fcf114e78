package webconsole

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// maxClone is the size in bytes of the largest request to clone a table or a container.
const maxClone = 4 << 10

// serveClone copies a table or a container to a new one. The path is relative to api/clone/ and escaped, such as
// dynamodb/orders. The response is one JSON object per line: {"items":n} for the items copied so far, and at the end
// {"done":true,"items":n}, or {"error":"…"} if the clone failed after the first line. If the client leaves, nothing is
// left of the new table.
func (c *console) serveClone(w http.ResponseWriter, r *http.Request, path string) {
	if !c.admitPost(w, r) {
		return
	}
	parts, ok := unescapedParts(w, path)
	if !ok {
		return
	}
	var in struct {
		To           string `json:"to"`
		WithoutItems bool   `json:"withoutItems"`
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxClone)) // to its end, while it has a deadline
	if err != nil || json.Unmarshal(text, &in) != nil {
		control.WriteProblem(w, http.StatusBadRequest, `the body must be {"to":"name of the new one","withoutItems":false}`)
		return
	}
	switch {
	case parts[0] == "dynamodb" && len(parts) == 2:
		call := historyCall(r, "CloneTable", marshaled(map[string]any{"TableName": parts[1], "TargetTableName": in.To,
			"WithoutItems": in.WithoutItems}))
		if c.sign(w, r, call, serviceName) {
			c.clone(w, c.History, call, control.Change{Cloud: control.DynamoDB, Kind: control.SchemaChange, Name: in.To})
		}
	case parts[0] == "cosmos" && len(parts) == 3 && c.CosmosHistory == nil:
		control.WriteProblem(w, http.StatusNotFound, cosmosOff)
	case parts[0] == "cosmos" && len(parts) == 3:
		call := historyCall(r, "Clone", marshaled(map[string]any{"Database": parts[1], "Container": parts[2],
			"NewContainer": in.To, "WithoutItems": in.WithoutItems}))
		c.clone(w, c.CosmosHistory, call, control.Change{Cloud: control.CosmosDB, Kind: control.SchemaChange,
			Name: parts[1] + "/" + in.To})
	default:
		control.WriteProblem(w, http.StatusNotFound, "the path must be api/clone/dynamodb/ and the name of a table, "+
			"or api/clone/cosmos/ and those of a database and a container")
	}
}

// clone passes a request to a service and responds with its progress. Another goroutine writes it: a client that reads
// slowly does not delay the service, and misses some of it.
func (c *console) clone(w http.ResponseWriter, service http.Handler, call *http.Request, change control.Change) {
	withoutDeadlines(w) // a clone may take as long as its items need
	out := &cloneResponse{ResponseWriter: w, answer: newCapturedResponse(), progress: make(chan int64, 1)}
	written := make(chan struct{})
	go func() {
		defer close(written)
		for items := range out.progress {
			out.line(cloneLine{Items: items})
			withoutDeadlines(w) // it has been sent, and the next items may need long
		}
	}()
	func() {
		defer func() { // also if the service panics
			close(out.progress)
			<-written
		}()
		service.ServeHTTP(out, call)
	}()
	out.finish(c, change)
}

// cloneResponse is the response of a clone. Its first line is written when there is progress.
type cloneResponse struct {
	http.ResponseWriter
	answer   *capturedResponse // of the service
	progress chan int64
	begun    bool
}

// Unwrap implements what http.ResponseController and package inflight need.
func (c *cloneResponse) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Header implements http.ResponseWriter.
func (c *cloneResponse) Header() http.Header { return c.answer.Header() }

// WriteHeader implements http.ResponseWriter.
func (c *cloneResponse) WriteHeader(status int) { c.answer.WriteHeader(status) }

// Write implements http.ResponseWriter.
func (c *cloneResponse) Write(body []byte) (int, error) { return c.answer.Write(body) }

// cloneLine is a line of the response.
type cloneLine struct {
	Done  bool   `json:"done,omitempty"`
	Items int64  `json:"items"`
	Error string `json:"error,omitempty"`
}

// Progress implements what inflight.ProgressOf needs.
func (c *cloneResponse) Progress(items int64) {
	select {
	case c.progress <- items:
	default:
	}
}

func (c *cloneResponse) line(l cloneLine) {
	if !c.begun {
		c.begun = true
		c.ResponseWriter.Header().Set("Content-Type", "application/jsonl")
		c.ResponseWriter.Header().Set("Cache-Control", "no-store")
	}
	extendWrite(c.ResponseWriter)
	_ = json.NewEncoder(c.ResponseWriter).Encode(l) // fails only if the client has left, which ends the clone
	_ = http.NewResponseController(c.ResponseWriter).Flush()
}

// finish writes the end of the response. If the clone is complete, pages are told about the new table or container.
func (c *cloneResponse) finish(console *console, change control.Change) {
	if c.answer.status == http.StatusOK {
		var end cloneLine
		_ = json.Unmarshal(c.answer.body.Bytes(), &end) // always an object
		end.Done = true
		console.watchers.changed(change)
		c.line(end)
		return
	}
	refused := newServiceRefusal(c.answer)
	if c.begun {
		c.line(cloneLine{Error: refused.message})
		return
	}
	extendWrite(c.ResponseWriter)
	control.WriteProblem(c.ResponseWriter, problemStatus(refused.code, c.answer.status), refused.message)
}

// marshaled returns names and flags in JSON.
func marshaled(members map[string]any) []byte {
	text, _ := json.Marshal(members) // they always can be written
	return text
}
