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

	"github.com/tabletop-db/tabletop/internal/util/apidocs"
	"github.com/tabletop-db/tabletop/internal/util/strictjson"
)

// maxBody is the maximum size of a request body in bytes unless the operation sets another.
const maxBody = 64 << 10

// Config describes the API of a system. Everything but Schemes, Logger, Observe, BadRequests and Private is required.
type Config struct {
	System      string   // the first segment of every path, such as telemetry
	Title       string   // of the OpenAPI document
	Version     string   // of the schema document that the system implements
	Description string   // in one sentence
	Tags        []string // groups of operations in page order: second segments of paths; the last takes the rest
	Intro       string   // the templates "links" and "start" of the documentation page: see apidocs.Page
	Schemes     map[string]*huma.SecurityScheme
	Logger      *slog.Logger // discards when nil
	Observe     func()       // called for each request to any operation; may be nil
	BadRequests bool         // a request that breaks a rule gets 400, as the system's document demands, not 422
	Private     []string     // locations, such as body.customer, whose values and members problem details omit
}

// API is the routes of one system on a mux, and their OpenAPI document.
type API struct {
	huma.API
	config         Config
	access         map[string]*Access // by scheme
	schemeConflict error              // two Accesses share a scheme
	mux            *http.ServeMux
	logger         *slog.Logger
}

// New creates an API on mux. Call Add for each route, then MountDocs.
func New(mux *http.ServeMux, c Config) *API {
	config := huma.DefaultConfig(c.Title, c.Version)
	config.Info.Description = c.Description
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", "" // MountDocs serves them
	config.CreateHooks = nil                                             // no $schema in responses
	config.RejectUnknownQueryParameters = true
	config.Formats = strictjson.Formats()
	config.Transformers = []huma.Transformer{clipValues, hideValues(c.Private)}
	config.Components.SecuritySchemes = c.Schemes
	if c.BadRequests {
		config.Transformers = append(config.Transformers, useBadRequestBody)
	}
	a := &API{API: humago.New(mux, config), config: c, access: map[string]*Access{}, mux: mux, logger: c.Logger}
	if a.logger == nil {
		a.logger = slog.New(slog.DiscardHandler)
	}
	if c.BadRequests {
		a.UseMiddleware(useBadRequestStatus)
	}
	if c.Observe != nil {
		a.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
			c.Observe()
			next(ctx)
		})
	}
	a.UseMiddleware(a.authorize)
	return a
}

// Reply is a response with a body.
type Reply[T any] struct{ Body T }

// Created is a response with a body and its own status.
type Created[T any] struct {
	Status int
	Body   T
}

// NewReply returns a response with the body, or the error.
func NewReply[T any](body T, err error) (*Reply[T], error) { return &Reply[T]{Body: body}, err }

// NewCreated returns 201 with a new resource, 200 with an existing one, or the error.
func NewCreated[T any](body T, isNew bool, err error) (*Created[T], error) {
	if isNew {
		return &Created[T]{Status: http.StatusCreated, Body: body}, err
	}
	return &Created[T]{Status: http.StatusOK, Body: body}, err
}

// Operation describes a route: its id, method and path, a summary of a few words, and a description that names the
// catalogue ids of what it serves.
func Operation(id, method, path, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, Description: description}
}

// CreateOperation describes a route that responds with 201.
func CreateOperation(id, method, path, summary, description string) huma.Operation {
	op := Operation(id, method, path, summary, description)
	op.DefaultStatus = http.StatusCreated
	return op
}

// Add adds a route that access guards: Open admits everyone, nil nobody. The guard runs before the body is read. An
// error of handle becomes problem details: an Error has its own status, a transient failure of the database is 503, and
// any other error is 500 and logged.
func Add[I, O any](a *API, access *Access, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	op.Tags = []string{a.tag(op.Path)}
	if op.MaxBodyBytes == 0 {
		op.MaxBodyBytes = maxBody
	}
	a.registerAccess(access)
	op.Security = securityRequirement(access)
	op.Middlewares = append(op.Middlewares, a.rejectEmptyParameters)
	op.Errors = append(op.Errors, errorStatuses(op, access)...)
	huma.Register(a.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err != nil {
			return nil, a.problem(ctx, op.OperationID, err)
		}
		return out, nil
	})
}

// registerAccess registers the Access of a scheme. The document can describe only one Access per scheme.
func (a *API) registerAccess(access *Access) {
	if access == nil || access == Open {
		return
	}
	if existing := a.access[access.Scheme]; existing != nil && existing != access {
		a.schemeConflict = fmt.Errorf("%s: the scheme %s is used for the %s and the %s: give each its own scheme",
			a.config.System,
			access.Scheme, existing.Label, access.Label)
	}
	a.access[access.Scheme] = access
}

// rejectEmptyParameters rejects a parameter with an empty value (?name=): huma treats it as absent, whatever its schema
// says.
func (a *API) rejectEmptyParameters(ctx huma.Context, next func(huma.Context)) {
	requestURL := ctx.URL()
	query, err := url.ParseQuery(requestURL.RawQuery)
	if err != nil { // huma would ignore the parameter
		a.writeError(ctx, Bad("query", "is malformed: URL-encode it"))
		return
	}
	for name, values := range query {
		if slices.Contains(values, "") {
			a.writeError(ctx, Invalid("query."+name, "is empty: send a value or omit it"))
			return
		}
	}
	next(ctx)
}

// errorStatuses returns the error statuses that an operation can respond with; huma adds 422 and 500.
func errorStatuses(op huma.Operation, access *Access) []int {
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

// tag returns the tag of a path: its second segment, or the last tag.
func (a *API) tag(path string) string {
	part := strings.Split(path, "/")[2]
	if slices.Contains(a.config.Tags, part) {
		return part
	}
	return a.config.Tags[len(a.config.Tags)-1]
}

// MountDocs serves the OpenAPI document at /<system>/openapi.json and its page at /<system>/docs. Call it after the
// last Add.
func (a *API) MountDocs() error {
	if a.schemeConflict != nil {
		return a.schemeConflict
	}
	if a.config.BadRequests {
		documentBadRequest(a.OpenAPI())
	}
	page := apidocs.Page{Path: "/" + a.config.System, Tags: a.config.Tags, Intro: a.config.Intro,
		Access: a.documentedAccess, Change: documentNulls}
	return page.Mount(a.mux, a.OpenAPI())
}

// documentedAccess returns who may call an operation, for the documentation page.
func (a *API) documentedAccess(op *huma.Operation) (who, header string) {
	if access := a.accessOf(op); access != nil {
		return access.Label, access.Header
	}
	return "nobody", ""
}
