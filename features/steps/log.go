package steps

import (
	"errors"
	"fmt"
	"strings"
)

func (w *World) logSteps() Group {
	return Group{Business: true, Title: "The log", Intro: "Of a service that was given World.Logger.", Steps: []Step{
		{`^the log has entries, and none contains "([^"]*)"$`, w.logNeverShows, `the log has entries, and none contains "{secret}"`, "It has lines, and the text in none of them, in whatever case."},
	}}
}

// logNeverShows checks that the log does not contain a text. The log must have lines, because an empty one proves
// nothing.
func (w *World) logNeverShows(text string) error {
	secret, err := w.Fill(text)
	if err != nil {
		return err
	}
	log := w.Log.String()
	if log == "" {
		return errors.New("the log is empty")
	}
	if strings.Contains(strings.ToLower(log), strings.ToLower(secret)) {
		return fmt.Errorf("the log shows it:\n%s", log)
	}
	return nil
}
