package access

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Operation is one operation of an OpenAPI document.
type Operation struct {
	ID, Method, Path string
	Scheme           string // security scheme; empty: none
	Open             bool   // it declares that anyone may call it
	Statuses         []string
	parameters       []parameter
	body             map[string]any // schema of the body; nil: no body
	document         *document
}

type parameter struct {
	Name     string         `json:"name"`
	In       string         `json:"in"`
	Required bool           `json:"required"`
	Schema   map[string]any `json:"schema"`
}

type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]map[string]any `json:"schemas"`
	} `json:"components"`
}

// Read returns the operations of an OpenAPI document, sorted by id. Errors: an operation that does not declare who may
// call it, or declares it in an unsupported way.
func Read(text []byte) ([]Operation, error) {
	doc := &document{}
	if err := json.Unmarshal(text, doc); err != nil {
		return nil, fmt.Errorf("the OpenAPI document cannot be read: %w", err)
	}
	var all []Operation
	var errs []error
	for path, item := range doc.Paths {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPost, http.MethodDelete, http.MethodPatch,
			http.MethodHead, http.MethodOptions} {
			if raw, ok := item[strings.ToLower(method)]; ok {
				op, err := doc.operation(method, path, raw)
				all, errs = append(all, op), append(errs, err)
			}
		}
	}
	if len(all) == 0 {
		errs = append(errs, errors.New("the OpenAPI document has no operation"))
	}
	slices.SortFunc(all, func(a, b Operation) int { return strings.Compare(a.ID, b.ID) })
	return all, errors.Join(errs...)
}

func (d *document) operation(method, path string, raw json.RawMessage) (Operation, error) {
	var in struct {
		OperationID string                     `json:"operationId"`
		Security    []map[string][]string      `json:"security"`
		Parameters  []parameter                `json:"parameters"`
		Responses   map[string]json.RawMessage `json:"responses"`
		RequestBody struct {
			Content map[string]struct {
				Schema map[string]any `json:"schema"`
			} `json:"content"`
		} `json:"requestBody"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Operation{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	op := Operation{
		ID: in.OperationID, Method: method, Path: path, Statuses: slices.Sorted(maps.Keys(in.Responses)),
		parameters: in.Parameters,
		body:       in.RequestBody.Content["application/json"].Schema, document: d,
	}
	if len(in.Security) != 1 || len(in.Security[0]) > 1 {
		return op, fmt.Errorf("%s does not say who may call it: its security is %v", op.ID, in.Security)
	}
	op.Open = len(in.Security[0]) == 0
	for scheme := range in.Security[0] {
		op.Scheme = scheme
	}
	return op, nil
}

// documentsStatus reports whether the document lists this status for the operation.
func (o Operation) documentsStatus(status int) bool {
	return slices.Contains(o.Statuses, fmt.Sprint(status))
}

// hasPathParameter reports whether the path has a parameter.
func (o Operation) hasPathParameter() bool { return strings.Contains(o.Path, "{") }
