package webconsole

import (
	"encoding/json"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/model/difference"
)

// maxCompared is how many bytes a request to compare requests has at most. The page sends the bodies of some
// megabytes at a time.
const maxCompared = 16 << 20

// comparedPair is two requests of the same operation.
type comparedPair struct {
	Cloud, Operation string
	Requests         *[2]string // the bodies; nil: they are not compared
	Responses        *[2]string
}

// differences returns the first differences of the requests and of the responses.
func (p *comparedPair) differences() []difference.Difference {
	found := []difference.Difference{}
	for i, bodies := range []*[2]string{p.Requests, p.Responses} {
		if bodies == nil {
			continue
		}
		d := difference.Comparison{Operation: p.Operation, Documents: p.Cloud == control.CosmosDB}
		d.Bodies([]byte(bodies[0]), []byte(bodies[1]))
		for _, one := range d.Found[:min(len(d.Found), maxDifferences)] {
			one.Path = []string{"request.", "response."}[i] + one.Path
			found = append(found, one)
		}
	}
	return found
}

// serveCompare compares pairs of requests and their responses by their meaning, as a replay does, and responds with the
// differences of each.
func (c *console) serveCompare(w http.ResponseWriter, r *http.Request) {
	if !c.admitPost(w, r) {
		return
	}
	var pairs []comparedPair
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxCompared)).Decode(&pairs); err != nil {
		control.WriteProblem(w, http.StatusBadRequest, "the body is not a JSON array of pairs: "+err.Error())
		return
	}
	found := make([][]difference.Difference, len(pairs))
	for i, p := range pairs {
		found[i] = p.differences()
	}
	writeJSON(w, found)
}

// maxDifferences is how many differences of two bodies are reported.
const maxDifferences = 20
