package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/internal/model/tablefile"
)

// described is a description of tables, and the result of applying it.
type described struct {
	text    string
	changes []string
	notices []string
	err     error
}

func (w *world) descriptions(sc *godog.ScenarioContext) {
	sc.Step(`^the description$`, func(text *godog.DocString) { w.described = described{text: text.Content} })
	sc.Step(`^the description has "([^"]*)" instead of "([^"]*)"$`, w.describeWith)
	sc.Step(`^the description has "([^"]*)" instead of "([^"]*)", "([^"]*)" instead of "([^"]*)" and "([^"]*)" instead of "([^"]*)"$`,
		w.describeWithThree)
	sc.Step(`^the tables are created from the description$`, w.createDescribed)
	sc.Step(`^the change "([^"]*)" was made$`, func(text string) error {
		return w.hasLine("done", w.described.changes, text)
	})
	sc.Step(`^the notice "([^"]*)" was given$`, func(text string) error {
		return w.hasLine("left", w.described.notices, text)
	})
	sc.Step(`^nothing was changed$`, func() error {
		if len(w.described.changes) > 0 {
			return fmt.Errorf("these changes were made: %q", w.described.changes)
		}
		return nil
	})
	sc.Step(`^the change is refused because "([^"]*)"$`, func(because string) error {
		if err := w.described.err; err == nil || !strings.Contains(err.Error(), because) {
			return fmt.Errorf("the error is %w", err)
		}
		return nil
	})
	sc.Step(`^the alarm "([^"]*)" went from (\w+) to (\w+)$`, func(ctx context.Context, name, from, to string) error {
		return w.historySays(ctx, name, "Alarm updated from "+from+" to "+to)
	})
	sc.Step(`^the emulator's tables are written as a description$`, w.describeAll)
	sc.Step(`^the emulator's tables match the description$`, func(ctx context.Context) error {
		want := w.described.text
		if err := w.describeAll(ctx); err != nil {
			return err
		}
		if w.described.text != want {
			return fmt.Errorf("it has\n%s\nand not\n%s", w.described.text, want)
		}
		return nil
	})
}

// describeWith edits the description.
func (w *world) describeWith(is, was string) error {
	if !strings.Contains(w.described.text, was) {
		return fmt.Errorf("the description has no %q", was)
	}
	w.described.text = strings.ReplaceAll(w.described.text, was, is)
	return nil
}

func (w *world) describeWithThree(is1, was1, is2, was2, is3, was3 string) error {
	return errors.Join(w.describeWith(is1, was1), w.describeWith(is2, was2), w.describeWith(is3, was3))
}

// createDescribed applies the description to the emulator.
func (w *world) createDescribed(ctx context.Context) error {
	w.described.changes, w.described.notices = nil, nil
	file, err := tablefile.Parse("tables.yaml", []byte(w.described.text))
	if w.described.err = err; err != nil {
		return nil
	}
	target, err := tablefile.NewTarget(ctx, w.Target.Emulator.AWSConfig())
	if err != nil {
		return err
	}
	plan, err := target.Compare(ctx, file.WithPrefix(w.Prefix), tablefile.Options{})
	if err != nil {
		return err
	}
	w.described.notices = plan.Kept
	w.described.err = plan.Do(ctx, target, func(s tablefile.Step) {
		w.described.changes = append(w.described.changes, s.String())
	})
	return nil
}

// describeAll creates a description of everything in the emulator.
func (w *world) describeAll(ctx context.Context) error {
	target, err := tablefile.NewTarget(ctx, w.Target.Emulator.AWSConfig())
	if err != nil {
		return err
	}
	file, err := target.Read(ctx, nil)
	if err != nil {
		return err
	}
	text, err := file.WithoutPrefix(w.Prefix).OmitDefaults().Write()
	w.described.text = string(text)
	return err
}

// hasLine searches for a line; tables in it have the prefix of the target.
func (w *world) hasLine(what string, lines []string, text string) error {
	if !slices.ContainsFunc(lines, func(line string) bool {
		return strings.HasPrefix(strings.TrimPrefix(line, w.Prefix), text)
	}) {
		return fmt.Errorf("%s was %q", what, lines)
	}
	return nil
}
