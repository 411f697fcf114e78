package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
)

// Response is a response of the service, or Err if there was none.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	Err    error

	examined *atomic.Bool // set when a step has looked at the outcome; nil: nobody needs to know
}

// examine notes that a step looks at the outcome.
func (a Response) examine() {
	if a.examined != nil {
		a.examined.Store(true)
	}
}

// unexamined returns an error if the request failed and no step has looked at the outcome.
func (a Response) unexamined() error {
	if a.examined.Load() || a.Err == nil && a.Status < http.StatusBadRequest {
		return nil
	}
	return fmt.Errorf("no step examines this response: %s", a)
}

// Succeeded returns an error unless the status is 2xx.
func (a Response) Succeeded() error {
	a.examine()
	if a.Err != nil || a.Status/100 != 2 {
		return fmt.Errorf("the response is %s", a)
	}
	return nil
}

// Lost returns an error unless there was no response.
func (a Response) Lost() error {
	a.examine()
	if a.Err == nil {
		return fmt.Errorf("the response is %s", a)
	}
	return nil
}

// HasStatus returns an error unless the response has one of these statuses.
func (a Response) HasStatus(statuses ...int) error {
	a.examine()
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
	a.examine()
	if a.Err != nil || a.Status < http.StatusBadRequest {
		return p, fmt.Errorf("the response is %s", a)
	}
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		return p, fmt.Errorf("the response is %s, not problem details: %s", got, a)
	}
	return p, json.Unmarshal(a.Body, &p)
}
