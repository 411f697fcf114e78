package web

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// asBadRequest answers 400 where huma and Invalid say 422: Config.BadRequests.
func asBadRequest(ctx huma.Context, next func(huma.Context)) { next(badRequests{ctx}) }

// badRequests is a context that sets one status for another; the body follows by sayBadRequest.
type badRequests struct{ humaContext }

type humaContext = huma.Context // by another name, for huma.Context has a method Context

// SetStatus sets the status of the answer.
func (c badRequests) SetStatus(status int) {
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	c.humaContext.SetStatus(status)
}

func sayBadRequest(_ huma.Context, _ string, v any) (any, error) {
	if problem, ok := v.(*huma.ErrorModel); ok && problem.Status == http.StatusUnprocessableEntity {
		problem.Status, problem.Title = http.StatusBadRequest, http.StatusText(http.StatusBadRequest)
	}
	return v, nil
}

// documentBadRequest takes the 422, which huma documents by itself, out of an operation that does not answer with it.
func documentBadRequest(doc *huma.OpenAPI) {
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op != nil {
				delete(op.Responses, "422")
			}
		}
	}
}
