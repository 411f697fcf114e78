package httpapi

import (
	"context"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Callers are the callers in steps that send requests.
type Callers struct {
	Credential func(user string) (Credential, error) // returns the credential of a user
	Operator   Credential                            // the operator's credential
}

// Requests registers the steps that send requests literally, for cases that no step of the system covers, such as an
// invalid field. They replace {name} by its value, and 300×a by 300 times the letter a.
func (s *Service) Requests(sc *godog.ScenarioContext, p Callers) {
	steps.Register(sc, []steps.Group{s.requestSteps(p)})
}

func (s *Service) requestSteps(p Callers) steps.Group {
	const request = ` sends (GET|POST|PUT|PATCH|DELETE) (\S+)(?: with (.*))?$`
	user := func(ctx context.Context, user, method, path, body string) error {
		as, err := p.Credential(user)
		if err != nil {
			return err
		}
		return s.sendText(ctx, as, method, path, body)
	}
	by := func(as Credential) any {
		return func(ctx context.Context, method, path, body string) error {
			return s.sendText(ctx, as, method, path, body)
		}
	}
	return steps.Group{Title: "HTTP: requests",
		Intro: "HTTP requests, for what a system's own steps do not cover. 300×a stands for 300 letters a.",
		Steps: []steps.Step{
			{Pattern: `^"([^"]*)"` + request, Do: user, Example: `"ana" sends PUT /devices/phone-1 with {"expoPushToken": 7}`,
				Description: "Sends it with the user's credential. The path is relative to the system's."},
			{Pattern: `^the operator` + request, Do: by(p.Operator), Example: `the operator sends GET /users/ana/diagnosis`,
				Description: "Sends it with the operator's credential."},
			{Pattern: `^somebody without a token` + request, Do: by(Anonymous),
				Example: `somebody without a token sends GET /devices`, Description: "Sends it without a credential."},
		}}
}

func (s *Service) sendText(ctx context.Context, as Credential, method, path, body string) error {
	path, err := s.Expand(path)
	if err != nil {
		return err
	}
	if body == "" {
		s.SendStep(ctx, as, method, path, nil)
		return nil
	}
	body, err = s.Expand(body)
	if err == nil {
		s.SendStep(ctx, as, method, path, []byte(body))
	}
	return err
}

// repetition matches an abbreviation such as 300×a, for a text that is too long to read.
var repetition = lazyregexp.New(`(\d+)×(\S)`)

// Expand returns a step's text with its names replaced and its repetitions expanded.
func (s *Service) Expand(text string) (string, error) {
	filled, err := s.world.Fill(text)
	return repetition.ReplaceAllStringFunc(filled, func(s string) string {
		m := repetition.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[1]) // digits only
		return strings.Repeat(m[2], n)
	}), err
}
