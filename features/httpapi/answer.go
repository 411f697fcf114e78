package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Answer is a response of the service, or Err if there was none.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error
}

// OK returns an error unless the status is 2xx.
func (a Answer) OK() error {
	if a.Err != nil || a.Status/100 != 2 {
		return fmt.Errorf("the response is %s", a)
	}
	return nil
}

// Is returns an error unless the response has one of these statuses.
func (a Answer) Is(statuses ...int) error {
	if a.Err == nil && slices.Contains(statuses, a.Status) {
		return nil
	}
	return fmt.Errorf("the response is %s", a)
}

func (a Answer) String() string {
	if a.Err != nil {
		return "nothing: " + a.Err.Error()
	}
	return fmt.Sprintf("%d %s", a.Status, a.Body)
}

// Read decodes the body of a successful response.
func Read[T any](a Answer) (T, error) {
	var v T
	if err := a.OK(); err != nil {
		return v, err
	}
	return v, json.Unmarshal(a.Body, &v)
}

// Problem is the problem details of an error response: RFC 9457, with the locations of the errors.
type Problem struct {
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Errors []struct {
		Location string `json:"location"`
		Message  string `json:"message"`
	} `json:"errors"`
}

// Problem decodes the problem details of an error response. Errors: any other response.
func (a Answer) Problem() (Problem, error) {
	var p Problem
	if a.Err != nil || a.Status < http.StatusBadRequest {
		return p, fmt.Errorf("the response is %s", a)
	}
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		return p, fmt.Errorf("the response is %s, not problem details: %s", got, a)
	}
	return p, json.Unmarshal(a.Body, &p)
}
