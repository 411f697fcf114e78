package partiql_test

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/partiql"
)

// TestRefused expects the service's message for each statement in testdata/refused: a statement, a tab, and what
// follows the common beginning of syntax errors or, after "= ", the whole message.
func TestRefused(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/refused")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, want, _ := strings.Cut(line, "\t")
		want, whole := strings.CutPrefix(strings.TrimLeft(want, "\t"), "= ")
		if !whole {
			want = strings.TrimRight("Statement wasn't well formed, can't be processed: "+want, " ")
		}
		if got := strings.TrimRight(refusal(strings.ReplaceAll(text, `\n`, "\n")), " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// refusal returns the message for a statement with three parameters.
func refusal(text string) string {
	_, err := compile(text)
	if err == nil {
		return "accepted"
	}
	return err.Error()
}

func compile(text string) (*partiql.Compiled, error) {
	s, err := partiql.Parse(text)
	if err != nil {
		return nil, err
	}
	return partiql.Compile(s, []item.Value{item.NewString("a"), item.NewInt(1), item.NewBool(true)})
}

// TestAccepted expects statements that the service runs (paritysuite, grammar.test.ts and whereFunctions.test.ts,
// October 2026; Amazon DynamoDB developer guide, "PartiQL reference").
func TestAccepted(t *testing.T) {
	t.Parallel()
	f, err := os.ReadFile("testdata/accepted")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(f)) {
		text := strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n")
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if got := refusal(text); got != "accepted" {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// FuzzParse expects that Parse fails only with an *Error, and that a parsed statement, printed and parsed again, prints
// the same.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/accepted", "testdata/refused"} {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			text, _, _ := strings.Cut(line, "\t")
			f.Add(strings.TrimSpace(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 8192 {
			return
		}
		start := time.Now()
		s, err := partiql.Parse(text)
		if err != nil {
			var e *partiql.Error
			if !errors.As(err, &e) {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		printed := s.String()
		again, err := partiql.Parse(printed)
		if err != nil {
			t.Fatalf("%s\nprinted as\n%s\ncannot be parsed: %v", text, printed, err)
		}
		if second := again.String(); second != printed {
			t.Fatalf("%s\nprinted as\n%s\nthen as\n%s", text, printed, second)
		}
		parameters := make([]item.Value, s.Parameters)
		for i := range parameters {
			parameters[i] = item.NewInt(int64(i))
		}
		_, _ = partiql.Compile(s, parameters)
		if took := time.Since(start); took > 5*time.Second {
			t.Fatalf("took %v", took)
		}
	})
}
