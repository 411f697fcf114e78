package extensions

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// maxBody is the size in bytes of the largest request.
const maxBody = 64 << 10

// problem is an error that has a status.
type problem struct {
	status int
	error
}

// invalid returns the error of a request whose content is wrong.
func invalid(format string, args ...any) error {
	return &problem{http.StatusUnprocessableEntity, fmt.Errorf(format, args...)}
}

// invalidField is an error of a request in which one field is wrong.
type invalidField struct {
	field string
	error
}

// missing returns the error of a request for what does not exist.
func missing(format string, args ...any) error {
	return &problem{http.StatusNotFound, fmt.Errorf(format, args...)}
}

// respond returns a handler that responds with the result of do as JSON, or with its error as problem details (RFC
// 9457). An error without a status is one of this machine, such as an unreadable file.
func respond(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		body, err := do(r)
		if err != nil {
			writeProblem(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body) // fails only if the client has left
	}
}

func writeProblem(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var p *problem
	if errors.As(err, &p) {
		status = p.status
	}
	var f *invalidField
	if errors.As(err, &f) {
		status = http.StatusUnprocessableEntity
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	body := map[string]any{"title": http.StatusText(status), "status": status, "detail": err.Error()}
	if f != nil {
		body["field"] = f.field
	}
	_ = json.NewEncoder(w).Encode(body) // fails only if the client has left
}

// decode reads the JSON object of a request. It refuses unknown fields.
func decode(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return &problem{http.StatusBadRequest, fmt.Errorf("the body is not valid JSON: %w", err)}
	}
	return nil
}
