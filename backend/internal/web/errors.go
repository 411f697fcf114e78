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

// Error is an answer that is not the database's or the service's fault: a status, what to say, and, where it is about
// one field, the place in the request, such as body.platform. Its text is shown to the caller.
type Error struct {
	Status   int
	Location string // empty when it is about the whole request
	Message  string
	Header   http.Header // of the answer besides; may be nil
}

func (e *Error) Error() string {
	if e.Location == "" {
		return e.Message
	}
	return e.Location + ": " + e.Message
}

// Invalid is a request of the right form with a wrong value: 422.
func Invalid(location, message string) error {
	return &Error{Status: http.StatusUnprocessableEntity, Location: location, Message: message}
}

// Bad is a request of the wrong form: 400.
func Bad(location, message string) error {
	return &Error{Status: http.StatusBadRequest, Location: location, Message: message}
}

// NotFound is 404. Say the same of what is not there and of what is somebody else's.
func NotFound(message string) error { return &Error{Status: http.StatusNotFound, Message: message} }

// Found is v, and missing where a search for it ended well but it is not there.
func Found[T any](v T, found bool, err, missing error) (T, error) {
	if err == nil && !found {
		err = missing
	}
	return v, err
}

// Conflict is 409: the request is good, and what is stored does not allow it now.
func Conflict(message string) error { return &Error{Status: http.StatusConflict, Message: message} }

// Unauthorized is 401: no credential, or not a good one.
func Unauthorized(message string) error {
	return &Error{Status: http.StatusUnauthorized, Message: message}
}

// Forbidden is 403: a good credential that does not open this.
func Forbidden(message string) error { return &Error{Status: http.StatusForbidden, Message: message} }

// Unavailable is 503: a part that the service needs is away; trying again later is right.
func Unavailable(message string) error {
	return &Error{Status: http.StatusServiceUnavailable, Message: message, Header: http.Header{"Retry-After": {"1"}}}
}

// problem turns an error into problem details. What is not the caller's doing is logged.
func (a *API) problem(ctx context.Context, operation string, err error) error {
	var known *Error
	if errors.As(err, &known) && known.Status < http.StatusInternalServerError {
		return known.problem()
	}
	if ctx.Err() == nil { // else the caller has left, which is no failure of ours
		a.logger.Error("request failed", slog.String("operation", operation), slog.Any("error", err))
	}
	if known != nil {
		return known.problem()
	}
	for _, passing := range []error{
		ddb.ErrBusy, ddb.ErrNoDatabase, ddb.ErrNoTables, cosmosdb.ErrBusy, cosmosdb.ErrNoDatabase, cosmosdb.ErrNoContainers,
	} {
		if errors.Is(err, passing) {
			return huma.ErrorWithHeaders(huma.Error503ServiceUnavailable(passing.Error()), http.Header{"Retry-After": {"1"}})
		}
	}
	return huma.Error500InternalServerError("the service failed; its log says why")
}

func (e *Error) problem() error {
	problem := huma.NewError(e.Status, e.Message)
	if e.Location != "" {
		problem = huma.NewError(e.Status, "the request is not valid", &huma.ErrorDetail{Location: e.Location, Message: e.Message})
	}
	if len(e.Header) == 0 {
		return problem
	}
	return huma.ErrorWithHeaders(problem, e.Header)
}

// refuse answers in place of a guarded route.
func (a *API) refuse(ctx huma.Context, err error) {
	problem := a.problem(ctx.Context(), ctx.Operation().OperationID, err)
	var headers huma.HeadersError
	if errors.As(problem, &headers) {
		for name, values := range headers.GetHeaders() {
			ctx.SetHeader(name, values[0])
		}
	}
	var model *huma.ErrorModel
	errors.As(problem, &model) // all that a.problem makes
	details := make([]error, 0, len(model.Errors))
	for _, detail := range model.Errors {
		details = append(details, detail)
	}
	_ = huma.WriteErr(a.API, ctx, model.Status, model.Detail, details...) // fails only when the caller has left
}

// maxEcho is how many bytes of a text a problem repeats.
const maxEcho = 200

// Clip keeps what a stranger sent from filling an answer: its first characters, of so many bytes at most.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// clipValues keeps a problem from echoing a whole body: the first 200 bytes of a text show what was wrong, and of an
// object or a list nothing is shown.
func clipValues(_ huma.Context, _ string, v any) (any, error) {
	problem, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	for _, detail := range problem.Errors {
		if detail.Location == "body" { // all of it, with whatever is private
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

// nameMissing has the place of a missing field be the field's own, as that of a wrong one is: huma names what it is
// missing in.
func nameMissing(detail *huma.ErrorDetail) {
	before, after, _ := strings.Cut(validation.MsgExpectedRequiredProperty, "%s")
	if name, missing := strings.CutPrefix(detail.Message, before); missing {
		detail.Location += "." + strings.TrimSuffix(name, after)
	}
}

// hideValues keeps a problem from showing what was sent at these places and in them: contact data would lie in whatever
// log the answer is written to.
func hideValues(places []string) huma.Transformer {
	return func(_ huma.Context, _ string, v any) (any, error) {
		problem, ok := v.(*huma.ErrorModel)
		if !ok {
			return v, nil
		}
		for _, detail := range problem.Errors {
			if slices.ContainsFunc(places, func(place string) bool { return strings.HasPrefix(detail.Location, place) }) {
				detail.Value = nil
			}
		}
		return v, nil
	}
}
