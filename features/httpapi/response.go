package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

// Response is a response of the service, or Err if there was none.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error
}

// Succeeded returns an error unless the status is 2xx.
func (a Response) Succeeded() error {
	if a.Err != nil || a.Status/100 != 2 {
		return fmt.Errorf("the response is %s", a)
	}
	return nil
}

// HasStatus returns an error unless the response has one of these statuses.
func (a Response) HasStatus(statuses ...int) error {
	if a.Err == nil && slices.Contains(statuses, a.Status) {
		return nil
	}
	return fmt.Errorf("the response is %s", a)
}

func (a Response) String() string {
	if a.Err != nil {
		return "nothing: " + a.Err.Error()
	}
	return fmt.Sprintf("%d %s", a.Status, a.Body)
}

// Decode decodes the body of a successful response.
func Decode[T any](a Response) (T, error) {
	var v T
	if err := a.Succeeded(); err != nil {
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
func (a Response) Problem() (Problem, error) {
	var p Problem
	if a.Err != nil || a.Status < http.StatusBadRequest {
		return p, fmt.Errorf("the response is %s", a)
	}
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		return p, fmt.Errorf("the response is %s, not problem details: %s", got, a)
	}
	return p, json.Unmarshal(a.Body, &p)
}
