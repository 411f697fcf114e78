package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// People are those who send requests in sentences.
type People struct {
	As       func(user string) (Credential, error) // what a user shows
	Operator Credential                            // what the operator shows
}

// Requests offers the sentences in which people send requests as they are written: for what no sentence of the system's own
// says, such as a field that is wrong. {name} is filled in, and 300×a is written out.
func (s *Service) Requests(sc *godog.ScenarioContext, p People) {
	const request = ` sends (GET|POST|PUT|PATCH|DELETE) (\S+)(?: with (.*))?$`
	sc.Step(`^"([^"]*)"`+request, func(ctx context.Context, user, method, path, body string) error {
		as, err := p.As(user)
		if err != nil {
			return err
		}
		return s.sends(ctx, as, method, path, body)
	})
	sc.Step(`^the operator`+request, func(ctx context.Context, method, path, body string) error {
		return s.sends(ctx, p.Operator, method, path, body)
	})
	sc.Step(`^somebody without a token`+request, func(ctx context.Context, method, path, body string) error {
		return s.sends(ctx, Nobody, method, path, body)
	})
	var remembered Answer
	sc.Step(`^that answer is remembered$`, func() { remembered = s.Last })
	sc.Step(`^the answer is the remembered one, to the byte$`, func() error {
		if s.Last.Status != remembered.Status || string(s.Last.Body) != string(remembered.Body) || !json.Valid(s.Last.Body) {
			return fmt.Errorf("it is %s, and that was %s", s.Last, remembered)
		}
		return nil
	})
}

func (s *Service) sends(ctx context.Context, as Credential, method, path, body string) error {
	path, err := s.Written(path)
	if err != nil {
		return err
	}
	if body == "" {
		s.Act(ctx, as, method, path, nil)
		return nil
	}
	body, err = s.Written(body)
	if err == nil {
		s.Act(ctx, as, method, path, []byte(body))
	}
	return err
}

// repeated is written 300×a for a text that is too long to read.
var repeated = regexp.MustCompile(`(\d+)×(\S)`)

// Written is a text of a sentence with its names filled in and what it repeats written out.
func (s *Service) Written(text string) (string, error) {
	filled, err := s.world.Fill(text)
	return repeated.ReplaceAllStringFunc(filled, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1]) // digits only
		return strings.Repeat(m[2], n)
	}), err
}
