package web

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// useBadRequestStatus changes the 422 of huma and Invalid to 400: see Config.BadRequests.
func useBadRequestStatus(ctx huma.Context, next func(huma.Context)) { next(badRequestContext{ctx}) }

// badRequestContext is a context that replaces the status 422; useBadRequestBody changes the body to match.
type badRequestContext struct{ humaContext }

type humaContext = huma.Context // an alias, because huma.Context has a method Context

// SetStatus sets the status of the response.
func (c badRequestContext) SetStatus(status int) {
	if status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	c.humaContext.SetStatus(status)
}

// Unwrap returns the context that humago needs.
func (c badRequestContext) Unwrap() huma.Context { return c.humaContext }

func useBadRequestBody(_ huma.Context, _ string, v any) (any, error) {
	if problem, ok := v.(*huma.ErrorModel); ok && problem.Status == http.StatusUnprocessableEntity {
		problem.Status, problem.Title = http.StatusBadRequest, http.StatusText(http.StatusBadRequest)
	}
	return v, nil
}

// documentBadRequest removes the 422, which huma documents by itself, from operations that do not respond with it.
func documentBadRequest(doc *huma.OpenAPI) {
	for _, path := range doc.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op != nil {
				delete(op.Responses, "422")
			}
		}
	}
}
