package steps

import (
	"errors"
	"fmt"
	"strings"
)

func (w *World) logSteps() Group {
	return Group{Business: true, Title: "The log", Intro: "The log of a service that uses World.Logger.", Steps: []Step{
		{`^the log has entries, and none contains "([^"]*)"$`, w.logNeverShows,
			`the log has entries, and none contains "{secret}"`,
			"The log is not empty, and no line contains this text, in upper or lower case."},
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
