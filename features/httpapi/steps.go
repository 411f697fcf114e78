package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// Steps offers the sentences about the last answer.
func (s *Service) Steps(sc *godog.ScenarioContext) {
	sc.Step(`^the answer is (\d{3})$`, func(status int) error { return s.Last.Is(status) })
	sc.Step(`^all answers are (\d{3})$`, s.allAre)
	sc.Step(`^(\d+) of the answers (?:is|are) (\d{3}) and (?:the others are|the other is) (\d{3})$`, s.someAre)
	sc.Step(`^it is not found$`, func() error { return s.Last.Is(http.StatusNotFound) })
	sc.Step(`^it is refused as invalid$`, func() error { return s.Last.Is(http.StatusUnprocessableEntity, http.StatusBadRequest) })
	sc.Step(`^the answer names the field "([^"]*)"$`, s.namesField)
	sc.Step(`^the answer says "([^"]*)"$`, s.says)
	sc.Step(`^the answer does not show "([^"]*)"$`, s.notShown)
	sc.Step(`^the answer's "([^"]*)" is "([^"]*)"$`, s.fieldIs)
	sc.Step(`^the answer has no "([^"]*)"$`, s.fieldAbsent)
	sc.Step(`^the answer's "([^"]*)" is called "([^"]*)"$`, s.remember)
}

func (s *Service) allAre(status int) error {
	for _, a := range s.All {
		if err := a.Is(status); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) someAre(n, status, other int) error {
	got := 0
	for _, a := range s.All {
		if err := a.Is(status, other); err != nil {
			return err
		}
		if a.Status == status {
			got++
		}
	}
	if got != n {
		return fmt.Errorf("%d of %d answers are %d", got, len(s.All), status)
	}
	return nil
}

// namesField wants a refusal that says where in the request the fault is, such as body.platform.
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

func (s *Service) says(text string) error {
	want, err := s.world.Fill(text)
	if err == nil && !strings.Contains(string(s.Last.Body), want) {
		err = fmt.Errorf("it says %s", s.Last)
	}
	return err
}

func (s *Service) notShown(text string) error {
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
		err = fmt.Errorf("it has, and that is %q", got)
	}
	return err
}

func (s *Service) remember(path, name string) error {
	got, found, err := s.Field(path)
	if err == nil && !found {
		err = fmt.Errorf("there is no %q in %s", path, s.Last)
	}
	s.world.Set(name, got)
	return err
}

// Field is a value inside a good answer as text: a path such as devices.0.deviceId goes into objects and lists. A text is
// itself, anything else its JSON. False when there is no such value.
func (s *Service) Field(path string) (string, bool, error) {
	v, err := Read[any](s.Last)
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
