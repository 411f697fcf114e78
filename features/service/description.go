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

// description is a description of tables, and the result of applying it.
type description struct {
	text     string
	original string // the text before the scenario changed it
	changes  []string
	notices  []string
	err      error // of applying it, until a step has examined it
}

func (w *world) descriptions(sc *godog.ScenarioContext) {
	sc.Step(`^the description$`, func(text *godog.DocString) {
		w.description = description{text: text.Content, original: text.Content}
	})
	sc.Step(`^the description has "([^"]*)" instead of "([^"]*)"$`, w.describeWith)
	sc.Step(`^the description has "([^"]*)" instead of "([^"]*)", "([^"]*)" instead of "([^"]*)" and "([^"]*)" instead of "([^"]*)"$`,
		w.describeWithThree)
	sc.Step(`^the tables are created from the description$`, w.createDescribed)
	sc.Step(`^the tables are created from the original description$`, func(ctx context.Context) error {
		w.description.text = w.description.original
		return w.createDescribed(ctx)
	})
	sc.Step(`^the change "([^"]*)" was made$`, func(text string) error {
		return w.hasLine("done", w.description.changes, text)
	})
	sc.Step(`^the notice "([^"]*)" was given$`, func(text string) error {
		return w.hasLine("left", w.description.notices, text)
	})
	sc.Step(`^nothing was changed$`, func() error {
		if len(w.description.changes) > 0 {
			return fmt.Errorf("these changes were made: %q", w.description.changes)
		}
		return w.description.err
	})
	sc.Step(`^the change is refused because "([^"]*)"$`, func(because string) error {
		if err := w.description.err; err == nil || !strings.Contains(err.Error(), because) {
			return fmt.Errorf("the error is %w", err)
		}
		w.description.err = nil
		return nil
	})
	sc.Step(`^the alarm "([^"]*)" went from (\w+) to (\w+)$`, func(ctx context.Context, name, from, to string) error {
		return w.historySays(ctx, name, "Alarm updated from "+from+" to "+to)
	})
	sc.Step(`^the emulator's tables are written as a description$`, w.describeAll)
	sc.Step(`^the emulator's tables match the description$`, func(ctx context.Context) error {
		want := w.description.text
		if err := w.describeAll(ctx); err != nil {
			return err
		}
		if w.description.text != want {
			return fmt.Errorf("it has\n%s\nand not\n%s", w.description.text, want)
		}
		return nil
	})
}

// describeWith edits the description.
func (w *world) describeWith(is, was string) error {
	if !strings.Contains(w.description.text, was) {
		return fmt.Errorf("the description has no %q", was)
	}
	w.description.text = strings.ReplaceAll(w.description.text, was, is)
	return nil
}

func (w *world) describeWithThree(is1, was1, is2, was2, is3, was3 string) error {
	return errors.Join(w.describeWith(is1, was1), w.describeWith(is2, was2), w.describeWith(is3, was3))
}

// createDescribed applies the description to the emulator.
func (w *world) createDescribed(ctx context.Context) error {
	w.description.changes, w.description.notices = nil, nil
	file, err := tablefile.Parse("tables.yaml", []byte(w.description.text))
	if w.description.err = err; err != nil {
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
	w.description.notices = plan.Kept
	w.description.err = plan.Do(ctx, target, func(s tablefile.Step) {
		w.description.changes = append(w.description.changes, s.String())
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
	w.description.text = string(text)
	return err
}

// hasLine searches for a line; tables in it have the prefix of the target.
func (w *world) hasLine(what string, lines []string, text string) error {
	if !slices.ContainsFunc(lines, func(line string) bool {
		return strings.HasPrefix(strings.TrimPrefix(line, w.Prefix), text)
	}) {
		return fmt.Errorf("%s was %q", what, lines)
	}
	return w.description.err
}
