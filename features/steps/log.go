package steps

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
)

// Log keeps all that a service under test writes to its log. It is safe for concurrent use.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write adds to the log.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *Log) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.buf.Bytes())
}

func (w *World) logSteps() Group {
	return Group{"The log", "Of a service that was given World.Logger.", []Step{
		{`^the log was written to but never shows "([^"]*)"$`, w.logNeverShows, `the log was written to but never shows "{secret}"`, "It has lines, and the text in none of them, in whatever case."},
	}}
}

// logNeverShows also wants a log with lines in it: an empty one proves nothing.
func (w *World) logNeverShows(text string) error {
	secret, err := w.Fill(text)
	if err != nil {
		return err
	}
	log := w.Log.bytes()
	if len(log) == 0 {
		return errors.New("the log is empty")
	}
	if bytes.Contains(bytes.ToLower(log), bytes.ToLower([]byte(secret))) {
		return fmt.Errorf("the log shows it:\n%s", log)
	}
	return nil
}
