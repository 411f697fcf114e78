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
func (s *Stage) Steps(sc *godog.ScenarioContext) {
	try := func(requests func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error {
			if err := s.begin(ctx); err != nil {
				return err
			}
			return requests(ctx)
		}
	}
	sc.Step(`^every operation is tried with each credential that does not open it$`, try(s.refuseAll))
	sc.Step(`^every operation is tried with each credential that opens it$`, try(s.passAll))
	sc.Step(`^somebody else asks for every operation on what is "ana"'s$`, try(s.askForAnothers))
	sc.Step(`^what is open to everybody is tried with every credential$`, try(s.askInPublic))
	sc.Step(`^each (?:is refused as its document says|is done|is as absent as what there never was, or the caller's own|answers, and is meant to be open)$`, func() error { return s.none(s.status) })
	sc.Step(`^who may do what is as docs/access.md says$`, s.asDocumented)
	sc.Step(`^no answer tells anything of "ana"$`, func() error { return s.none(s.told) })
	sc.Step(`^nothing was looked up but whose credential it is$`, func() error { return s.none(s.asked) })
	sc.Step(`^nothing was looked up but whose it is$`, func() error { return s.none(s.asked) })
	sc.Step(`^what is "ana"'s is as it was$`, func() error { return s.none(s.changed) })
}

// none returns an error that names every wrong cell of the table.
func (s *Stage) none(wrong []string) error {
	switch {
	case s.tried == 0:
		return errors.New("no request was made")
	case len(wrong) == 0:
		return nil
	}
	return fmt.Errorf("%d of %d cells of the table are wrong:\n  %s", len(wrong), s.tried, strings.Join(wrong, "\n  "))
}

// asDocumented checks that the declared access still matches docs/access.md: the declarations alone do not prove who
// should be let in.
func (s *Stage) asDocumented() error {
	var b strings.Builder
	s.write(&b, s.operations)
	if !strings.Contains(docs.Access(), b.String()) {
		return fmt.Errorf("docs/access.md does not have the table of this backend: %s", b.String())
	}
	return nil
}
