package access

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/docs"
)

// Steps registers the steps that test the table.
func (s *Tester) Steps(sc *godog.ScenarioContext) {
	try := func(requests func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			if err := s.reset(ctx); err != nil {
				return err
			}
			return requests(ctx)
		}
	}
	sc.Step(`^every operation is called with each credential that does not allow it$`, try(s.callRefused))
	sc.Step(`^every operation is called with each credential that allows it$`, try(s.callAllowed))
	sc.Step(`^another user calls every operation on "ana"'s resources$`, try(s.callForAnotherUser))
	sc.Step(`^every public operation is called with every credential$`, try(s.callPublic))
	sc.Step(`^each call (?:is refused as the OpenAPI document says|succeeds|finds nothing, or the caller's own resources|gets a response, and the operation is documented as public)$`,
		func() error {
			return s.checkEmpty(s.unexpectedResponses)
		})
	sc.Step(`^the permissions match docs/access.md$`, s.matchesDocument)
	sc.Step(`^no response contains data of "ana"$`, func() error { return s.checkEmpty(s.leaks) })
	sc.Step(`^nothing was read except the credential$`, func() error { return s.checkEmpty(s.unexpectedCalls) })
	sc.Step(`^nothing was read except to check the owner$`, func() error { return s.checkEmpty(s.unexpectedCalls) })
	sc.Step(`^"ana"'s resources are unchanged$`, func() error { return s.checkEmpty(s.changedItems) })
}

// checkEmpty returns an error that names every wrong cell of the table.
func (s *Tester) checkEmpty(wrong []string) error {
	switch {
	case s.testedCells == 0:
		return errors.New("no request was made")
	case len(wrong) == 0:
		return nil
	}
	return fmt.Errorf("%d of %d cells of the table are wrong:\n  %s", len(wrong), s.testedCells,
		strings.Join(wrong, "\n  "))
}

// matchesDocument checks that the declared access still matches docs/access.md: the declarations alone do not prove who
// should be let in.
func (s *Tester) matchesDocument() error {
	var b strings.Builder
	s.write(&b, s.operations)
	if !strings.Contains(docs.Access(), b.String()) {
		return fmt.Errorf("docs/access.md is out of date; its table of this backend should be: %s", b.String())
	}
	return nil
}
