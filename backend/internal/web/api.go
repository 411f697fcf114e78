package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/tabletop-db/tabletop/internal/apidocs"
	"github.com/tabletop-db/tabletop/internal/strictjson"
)

// maxBody is how many bytes the body of a request may have unless its operation says otherwise.
const maxBody = 64 << 10

// Config is what a system says of its API. Everything but Schemes and Logger is required.
type Config struct {
	System      string   // the first part of every path, such as telemetry
	Title       string   // of the OpenAPI document
	Version     string   // of the schema document that the system implements
	Description string   // in one sentence
	Tags        []string // the groups of operations, in the page's order: second parts of paths; the last takes the rest
	Intro       string   // the templates "links" and "start" of the documents' page: see apidocs.Page
	Schemes     map[string]*huma.SecurityScheme
	Logger      *slog.Logger // discards when nil
	Observe     func()       // called once a request to any operation; may be nil
	BadRequests bool         // a request that breaks a rule is a 400, as the system's document has it, not a 422
	Private     []string     // places, such as body.customer, of which problems show no values, what lies in them included
}

// API is one system's routes on a mux, and the document about them.
type API struct {
	huma.API
	config Config
	access map[string]*Access // by scheme
	clash  error              // two of them have one scheme
	mux    *http.ServeMux
	logger *slog.Logger
}

// New begins an API on mux: Add routes, then MountDocs.
func New(mux *http.ServeMux, c Config) *API {
	config := huma.DefaultConfig(c.Title, c.Version)
	config.Info.Description = c.Description
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // MountDocs serves its own
	config.CreateHooks = nil                                             // no $schema in answers
	config.RejectUnknownQueryParameters = true
	config.Formats = strictjson.Formats()
	config.Transformers = []huma.Transformer{clipValues, hideValues(c.Private)}
	config.Components.SecuritySchemes = c.Schemes
	if c.BadRequests {
		config.Transformers = append(config.Transformers, sayBadRequest)
	}
	a := &API{API: humago.New(mux, config), config: c, access: map[string]*Access{}, mux: mux, logger: c.Logger}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if c.BadRequests {
		a.UseMiddleware(asBadRequest)
	}
	if c.Observe != nil {
		a.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
			c.Observe()
			next(ctx)
		})
	}
	a.UseMiddleware(a.admit)
	return a
}

// Reply is an answer with a body.
type Reply[T any] struct{ Body T }

// Created is an answer with a body and a status of its own.
type Created[T any] struct {
	Status int
	Body   T
}

// Answer is the answer with a body, or the error.
func Answer[T any](body T, err error) (*Reply[T], error) { return &Reply[T]{Body: body}, err }

// Made is the answer 201 with what is new and 200 with what was there, or the error.
func Made[T any](body T, isNew bool, err error) (*Created[T], error) {
	if isNew {
		return &Created[T]{Status: http.StatusCreated, Body: body}, err
	}
	return &Created[T]{Status: http.StatusOK, Body: body}, err
}

// Operation describes a route: its id, method and path, a summary of a few words, and what it does with the catalogue
// ids that it serves.
func Operation(id, method, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Description: description}
}

// Creating is the Operation of a route that answers 201.
func Creating(id, method, path, summary, description string) huma.Operation {
	op := Operation(id, method, path, summary, description)
	op.DefaultStatus = http.StatusCreated
	return op
}

// Add adds a route that access lets in: Open lets everyone, nil nobody. The guard runs before the body is read. An
// error of handle becomes problem details: an Error as it says, a passing failure of the database 503, anything else
// 500 and a log line.
func Add[I, O any](a *API, access *Access, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Tags = []string{a.tag(op.Path)}
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = maxBody
	}
	a.know(access)
	op.Security = requirement(access)
	op.Middlewares = append(op.Middlewares, a.refuseEmpty)
	op.Errors = append(op.Errors, statuses(op, access)...)
	huma.Register(a.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

// know remembers whom a scheme lets in. The document can say that of one Access a scheme.
func (a *API) know(access *Access) {
	if access == nil || access == Open {
		return
	}
	if was := a.access[access.Scheme]; was != nil && was != access {
		a.clash = fmt.Errorf("%s: the scheme %s lets in the %s and the %s: give each a scheme of its own", a.config.System, access.Scheme, was.Label, access.Label)
	}
	a.access[access.Scheme] = access
}

// refuseEmpty refuses ?name= in place of a value: huma takes it for a parameter that is left out, whatever its rule
// says.
func (a *API) refuseEmpty(ctx huma.Context, next func(huma.Context)) {
	at := ctx.URL()
	query, err := url.ParseQuery(at.RawQuery)
	if err != nil { // huma would leave the parameter out that cannot be read
		a.refuse(ctx, Bad("query", "cannot be read: write it URL-encoded"))
		return
	}
	for name, values := range query {
		if slices.Contains(values, "") {
			a.refuse(ctx, Invalid("query."+name, "is empty: give a value, or leave it out"))
			return
		}
	}
	next(ctx)
}

// statuses are the errors that an operation can answer with by what it is; huma adds 422 and 500.
func statuses(op huma.Operation, access *Access) []int {
	all := []int{http.StatusBadRequest, http.StatusServiceUnavailable}
	switch {
	case access == nil:
		all = append(all, http.StatusForbidden)
	case access.Forbids:
		all = append(all, http.StatusUnauthorized, http.StatusForbidden)
	case access != Open:
		all = append(all, http.StatusUnauthorized)
	}
	if strings.Contains(op.Path, "{") {
		all = append(all, http.StatusNotFound)
	}
	switch op.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		all = append(all, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return all
}

// tag groups the operations of the document: the part of the path after the system's, or the last tag.
func (a *API) tag(path string) string {
	part := strings.Split(path, "/")[2]
	if slices.Contains(a.config.Tags, part) {
		return part
	}
	return a.config.Tags[len(a.config.Tags)-1]
}

// MountDocs serves the OpenAPI document as /<system>/openapi.json and its page as /<system>/docs. Call it after every
// Add.
func (a *API) MountDocs() error {
	if a.clash != nil {
		return a.clash
	}
	if a.config.BadRequests {
		documentBadRequest(a.OpenAPI())
	}
	page := apidocs.Page{Path: "/" + a.config.System, Tags: a.config.Tags, Intro: a.config.Intro, Access: a.documentedAccess, Change: sayNulls}
	return page.Mount(a.mux, a.OpenAPI())
}

// documentedAccess is who may call an operation, as its page shows it.
func (a *API) documentedAccess(op *huma.Operation) (who, header string) {
	if access := a.accessOf(op); access != nil {
		return access.Label, access.Header
	}
	return "nobody", ""
}
