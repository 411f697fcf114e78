package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestExamplesOfHelpAreCommandLines checks that the examples in the help of every command, also those that continue on
// a second line, are command lines that tabletop accepts: the commands, flags and number of arguments exist.
func TestExamplesOfHelpAreCommandLines(t *testing.T) {
	t.Parallel()
	checked, wrapped := 0, 0
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		help := runCommand(t.Context(), nil, append(strings.Fields(cmd.CommandPath())[1:], "--help")...).stdout
		_, examples, _ := strings.Cut(help, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		wrapped += strings.Count(examples, " \\\n")
		for line := range strings.Lines(strings.ReplaceAll(examples, " \\\n", " ")) {
			for _, words := range tabletopCalls(line) {
				checked++
				if err := parses(words); err != nil {
					t.Errorf("%s: the example %q: %v", cmd.CommandPath(), strings.Join(words, " "), err)
				}
			}
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(Root())
	if checked < 150 || wrapped < 30 {
		t.Errorf("%d examples and %d continued lines were checked, fewer than there are", checked, wrapped)
	}
}

// parses returns the error with which tabletop would refuse the arguments before it runs them.
func parses(args []string) error {
	cmd, rest, err := Root().Find(args)
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return err
	}
	return cmd.ValidateArgs(cmd.Flags().Args())
}

// tabletopCalls returns the arguments of each call of tabletop in a line of shell, without quotes.
func tabletopCalls(line string) (calls [][]string) {
	var words []string
	end := func() {
		if len(words) > 1 && words[0] == "tabletop" {
			calls = append(calls, words[1:])
		}
		words = nil
	}
	quote, redirected := rune(0), false
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		}
		return quote == 0 && (r == ' ' || r == '\n')
	}) {
		switch {
		case word == "&&" || word == "|":
			end()
			redirected = false
		case word == ">":
			redirected = true
		case !redirected:
			words = append(words, strings.Trim(word, `'"`))
		}
	}
	end()
	return calls
}
