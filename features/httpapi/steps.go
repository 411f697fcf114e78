package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
)

// Steps registers the steps about the last response.
func (s *Service) Steps(sc *godog.ScenarioContext) {
	steps.Register(sc, []steps.Group{s.responseSteps(), s.statusSteps()})
}

// Library returns the steps of this package, for the reference.
func (s *Service) Library() []steps.Group {
	return []steps.Group{s.requestSteps(Callers{}), s.responseSteps(), s.statusSteps()}
}

func (s *Service) responseSteps() steps.Group {
	return steps.Group{Business: true, Title: "HTTP: responses",
		Intro: "About the last response of a service that the scenario uses as httpapi.Service. A JSON field is named by its path, such as devices.0.deviceId.",
		Steps: []steps.Step{
			s.outcomeStep("the request succeeds", http.StatusOK, http.StatusNoContent),
			s.outcomeStep("it is created", http.StatusCreated),
			s.outcomeStep("it is not found", http.StatusNotFound),
			s.outcomeStep("it is refused as invalid", http.StatusUnprocessableEntity),
			s.outcomeStep("it is refused as a bad request", http.StatusBadRequest),
			s.outcomeStep("it is refused as a conflict", http.StatusConflict),
			s.outcomeStep("the credential is refused", http.StatusUnauthorized),
			s.outcomeStep("it is forbidden", http.StatusForbidden),
			s.outcomeStep("the service is unavailable", http.StatusServiceUnavailable),
			{Pattern: `^the response contains "([^"]*)"$`, Do: s.bodyContains,
				Example:     `the response contains "must be ios or android"`,
				Description: "The body contains this text."},
			{Pattern: `^the response does not contain "([^"]*)"$`, Do: s.bodyLacks,
				Example: `the response does not contain "{secret}"`, Description: "The body does not contain this text."},
			{Pattern: `^the response's "([^"]*)" is "([^"]*)"$`, Do: s.fieldIs,
				Example:     `the response's "devices.0.deviceId" is "phone-1"`,
				Description: "This field of the JSON body has this value."},
			{Pattern: `^the response's header "([^"]*)" is "([^"]*)"$`, Do: s.headerIs,
				Example: `the response's header "Retry-After" is "1"`, Description: "This header has this value."},
			{Pattern: `^the response has no header "([^"]*)"$`, Do: func(name string) error {
				return s.headerIs(name, "")
			}, Example: `the response has no header "Retry-After"`, Description: "It does not have this header."},
			{Pattern: `^the response has no "([^"]*)"$`, Do: s.fieldAbsent, Example: `the response has no "cursor"`,
				Description: "The JSON body does not have this field."},
			{Pattern: `^the response's "([^"]*)" is saved as "([^"]*)"$`, Do: s.saveField,
				Example: `the response's "batchId" is saved as "batch"`, Description: "Later steps replace {batch} with it."},
			{Pattern: `^that response is remembered$`, Do: func() {
				s.Last.examine()
				s.Remembered = s.Last
			}, Example: `that response is remembered`, Description: "Remembers the response for a later step."},
		}}
}

// outcomeStep returns a step that expects one of these statuses in the last response.
func (s *Service) outcomeStep(step string, statuses ...int) steps.Step {
	says := fmt.Sprintf("Status %d.", statuses[0])
	if len(statuses) > 1 {
		says = fmt.Sprintf("Status %d or %d.", statuses[0], statuses[1])
	}
	return steps.Step{Pattern: "^" + step + "$", Do: func() error {
		return s.Last.HasStatus(statuses...)
	}, Example: step, Description: says}
}

func (s *Service) statusSteps() steps.Group {
	return steps.Group{Title: "HTTP: statuses",
		Intro: "About the last response, or about all responses of simultaneous requests.", Steps: []steps.Step{
			{Pattern: `^the response is (\d{3})$`, Do: func(status int) error {
				return s.Last.HasStatus(status)
			}, Example: `the response is 404`, Description: "The status code."},
			{Pattern: `^all responses are (\d{3})$`, Do: s.allHaveStatus, Example: `all responses are 200`,
				Description: "All responses have this status code."},
			{Pattern: `^(\d+) of the responses (?:is|are) (\d{3}) and (?:the others are|the other is) (\d{3})$`,
				Do:          s.someHaveStatus,
				Example:     `1 of the responses is 201 and the others are 200`,
				Description: "So many responses have the first status code, and all others the second."},
			{Pattern: `^the response names the field "([^"]*)"$`, Do: s.namesField,
				Example:     `the response names the field "body.platform"`,
				Description: "The problem details (RFC 9457) name this field."},
			{Pattern: `^the response is identical to the remembered one$`, Do: s.sameAsRemembered,
				Example:     `the response is identical to the remembered one`,
				Description: "Same status code and same body, to the byte: another user's data looks like data that does not exist."},
		}}
}

// sameAsRemembered returns an error unless the last response equals the remembered one, byte for byte.
func (s *Service) sameAsRemembered() error {
	s.Last.examine()
	if s.Last.Status != s.Remembered.Status || string(s.Last.Body) != string(s.Remembered.Body) ||
		!json.Valid(s.Last.Body) {
		return fmt.Errorf("it is %s, and that was %s", s.Last, s.Remembered)
	}
	return nil
}

func (s *Service) allHaveStatus(status int) error {
	for _, a := range s.Responses {
		if err := a.HasStatus(status); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) someHaveStatus(n, status, other int) error {
	got := 0
	for _, a := range s.Responses {
		if err := a.HasStatus(status, other); err != nil {
			return err
		}
		if a.Status == status {
			got++
		}
	}
	if got != n {
		return fmt.Errorf("%d of %d responses are %d", got, len(s.Responses), status)
	}
	return nil
}

// namesField expects an error response that names the location of the error in the request, such as body.platform.
func (s *Service) namesField(location string) error {
	p, err := s.Last.Problem()
	if err != nil {
		return err
	}
	for _, e := range p.Errors {
		if e.Location == location {
			return nil
		}
	}
	return fmt.Errorf("it names other fields: %s", s.Last)
}

func (s *Service) bodyContains(text string) error {
	s.Last.examine()
	want, err := s.world.Fill(text)
	if err == nil && !strings.Contains(string(s.Last.Body), want) {
		err = fmt.Errorf("it says %s", s.Last)
	}
	return err
}

func (s *Service) bodyLacks(text string) error {
	secret, err := s.world.Fill(text)
	if err == nil && strings.Contains(string(s.Last.Body), secret) {
		err = fmt.Errorf("it does: %s", s.Last)
	}
	return err
}

func (s *Service) fieldIs(path, text string) error {
	want, err := s.world.Fill(text)
	if err != nil {
		return err
	}
	got, found, err := s.Field(path)
	if err == nil && (!found || got != want) {
		err = fmt.Errorf("it is %q in %s", got, s.Last)
	}
	return err
}

func (s *Service) fieldAbsent(path string) error {
	got, found, err := s.Field(path)
	if err == nil && found {
		err = fmt.Errorf("it has it, with the value %q", got)
	}
	return err
}

func (s *Service) saveField(path, name string) error {
	got, found, err := s.Field(path)
	if err == nil && !found {
		err = fmt.Errorf("there is no %q in %s", path, s.Last)
	}
	s.world.Set(name, got)
	return err
}

// Field returns a value in a successful response as text. path descends into objects and lists, such as
// devices.0.deviceId. A string is returned as it is, anything else as JSON. It returns false if there is no such value.
func (s *Service) Field(path string) (string, bool, error) {
	v, err := Decode[any](s.Last)
	if err != nil {
		return "", false, err
	}
	for part := range strings.SplitSeq(path, ".") {
		var found bool
		if v, found = member(v, part); !found {
			return "", false, nil
		}
	}
	if text, ok := v.(string); ok {
		return text, true, nil
	}
	text, err := json.Marshal(v)
	return string(text), true, err
}

func member(v any, name string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		in, found := v[name]
		return in, found
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		return v[i], true
	}
	return nil, false
}

func (s *Service) headerIs(name, want string) error {
	if got := s.Last.Header.Get(name); got != want {
		return fmt.Errorf("it is %q in %s", got, s.Last)
	}
	return nil
}
