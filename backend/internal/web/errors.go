package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/tabletop-db/tabletop/backend/internal/cosmosdb"
	"github.com/tabletop-db/tabletop/backend/internal/ddb"
)

// Error is an error response: a status, a message and, where it concerns one field, the location in the request, such
// as body.platform. Its text is shown to the caller.
type Error struct {
	Status   int
	Location string // empty when it concerns the whole request
	Message  string
	Header   http.Header // additional headers of the response; may be nil
}

func (e *Error) Error() string {
	if e.Location == "" {
		return e.Message
	}
	return e.Location + ": " + e.Message
}

// Invalid returns a 422: the request is well-formed, but a value is wrong.
func Invalid(location, message string) error {
	return &Error{Status: http.StatusUnprocessableEntity, Location: location, Message: message}
}

// Bad returns a 400: the request is malformed.
func Bad(location, message string) error {
	return &Error{Status: http.StatusBadRequest, Location: location, Message: message}
}

// NotFound returns a 404. Use the same message for a resource that does not exist and for another caller's.
func NotFound(message string) error { return &Error{Status: http.StatusNotFound, Message: message} }

// Found returns v, or the error notFound when a search succeeded without finding it.
func Found[T any](v T, found bool, err, notFound error) (T, error) {
	if err == nil && !found {
		err = notFound
	}
	return v, err
}

// Conflict returns a 409: the request is valid, but the current state does not allow it.
func Conflict(message string) error { return &Error{Status: http.StatusConflict, Message: message} }

// Unauthorized returns a 401: the credentials are missing or not valid.
func Unauthorized(message string) error {
	return &Error{Status: http.StatusUnauthorized, Message: message}
}

// Forbidden returns a 403: the credentials are valid but do not permit the request.
func Forbidden(message string) error { return &Error{Status: http.StatusForbidden, Message: message} }

// Unavailable returns a 503: a dependency of the service is unavailable, and the client should retry.
func Unavailable(message string) error {
	return &Error{Status: http.StatusServiceUnavailable, Message: message, Header: http.Header{"Retry-After": {"1"}}}
}

// problem turns an error into problem details. It logs errors that the caller did not cause.
func (a *API) problem(ctx context.Context, operation string, err error) error {
	var apiErr *Error
	if errors.As(err, &apiErr) && apiErr.Status < http.StatusInternalServerError {
		return apiErr.problem()
	}
	if ctx.Err() == nil { // otherwise the caller disconnected, which is no failure of the service
		a.logger.Error("request failed", slog.String("operation", operation), slog.Any("error", err))
	}
	if apiErr != nil {
		return apiErr.problem()
	}
	for _, transient := range []error{
		ddb.ErrBusy, ddb.ErrUnreachable, ddb.ErrNoTables, cosmosdb.ErrBusy, cosmosdb.ErrUnreachable, cosmosdb.ErrNoContainers,
	} {
		if errors.Is(err, transient) {
			return huma.ErrorWithHeaders(huma.Error503ServiceUnavailable(transient.Error()), http.Header{"Retry-After": {"1"}})
		}
	}
	return huma.Error500InternalServerError("the service failed; see its log")
}

func (e *Error) problem() error {
	problem := huma.NewError(e.Status, e.Message)
	if e.Location != "" {
		problem = huma.NewError(e.Status, "the request is not valid", &huma.ErrorDetail{Location: e.Location,
			Message: e.Message})
	}
	if len(e.Header) == 0 {
		return problem
	}
	return huma.ErrorWithHeaders(problem, e.Header)
}

// writeError responds instead of a guarded route.
func (a *API) writeError(ctx huma.Context, err error) {
	problem := a.problem(ctx.Context(), ctx.Operation().OperationID, err)
	var headers huma.HeadersError
	if errors.As(problem, &headers) {
		for name, values := range headers.GetHeaders() {
			ctx.SetHeader(name, values[0])
		}
	}
	var model *huma.ErrorModel
	errors.As(problem, &model) // a.problem returns nothing else
	details := make([]error, 0, len(model.Errors))
	for _, detail := range model.Errors {
		details = append(details, detail)
	}
	_ = huma.WriteErr(a.API, ctx, model.Status, model.Detail, details...) // fails only when the caller has disconnected
}

// maxEcho is the maximum length in bytes of a value that problem details repeat.
const maxEcho = 200

// Clip truncates text to at most limit bytes, at a character boundary, and marks the cut, so that a client's input
// cannot fill a response.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// clipValues keeps problem details from echoing a whole body: strings are clipped to 200 bytes, and objects and lists
// are omitted.
func clipValues(_ huma.Context, _ string, v any) (any, error) {
	problem, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	for _, detail := range problem.Errors {
		if detail.Location == "body" { // the whole body, including private data
			detail.Value = nil
		}
		switch value := detail.Value.(type) {
		case string:
			detail.Value = Clip(value, maxEcho)
		case map[string]any, map[any]any, []any:
			detail.Value = nil
		}
		nameMissing(detail)
	}
	return v, nil
}

// nameMissing makes the location of a missing field the field's own, like that of an invalid one: huma reports the
// location of the object that lacks it.
func nameMissing(detail *huma.ErrorDetail) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	if name, missing := strings.CutPrefix(detail.Message, before); missing {
		detail.Location += "." + strings.TrimSuffix(name, after)
	}
}

// hideValues removes the values at these locations, and below them, from problem details: otherwise contact data would
// reach every log that records the response.
func hideValues(locations []string) huma.Transformer {
	return func(_ huma.Context, _ string, v any) (any, error) {
		problem, ok := v.(*huma.ErrorModel)
		if !ok {
			return v, nil
		}
		for _, detail := range problem.Errors {
			if slices.ContainsFunc(locations, func(location string) bool {
				return strings.HasPrefix(detail.Location, location)
			}) {
				detail.Value = nil
			}
		}
		return v, nil
	}
}
