package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// write writes the report. Errors: a mutant that does not pass.
func write(out string, results []result) error {
	var b strings.Builder
	caught, known := 0, 0
	var bad []string
	for _, r := range results {
		switch {
		case !r.passed():
			bad = append(bad, r.ID)
		case r.Caught == "":
			known++
		default:
			caught++
		}
	}
	fmt.Fprintf(&b, "# Mutants\n\n%d mistakes: %d caught, %d known to survive, %d not caught or not to be tried.\n\n",
		len(results), caught, known, len(bad))
	b.WriteString("| mutant | breaks | mistake | what it does wrong | caught by |\n|---|---|---|---|---|\n")
	for _, r := range results {
		by := r.Caught + r.note()
		switch {
		case r.Err != nil:
			by = "**cannot be tried**: " + r.Err.Error()
		case by == "" && r.Survives != "":
			by = "nothing: " + r.Survives
		case by == "":
			by = "**nothing**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.ID, r.Breaks, r.Kind, cell(r.Says), cell(by))
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(out, "mutants.md")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		return err
	}
	fmt.Printf("%d caught, %d known to survive, %d bad: %s\n", caught, known, len(bad), path)
	if len(bad) > 0 {
		return fmt.Errorf("these are not caught, or cannot be tried: %s", strings.Join(bad, ", "))
	}
	return nil
}

func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
