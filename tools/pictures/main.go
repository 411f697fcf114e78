// Command pictures makes the pictures of the README in docs/pictures: pages of the web console and of the features
// report in both themes, and a recording of tabletop up. It needs Chromium, bin/tabletop and the report of
// make features.
//
//	make pictures                        write the pictures, and the text that they show
//	go run ./tools/pictures -check       fail if a picture would show another text
//
// Pixels differ between versions of Chromium and its fonts; the text does not. Therefore the check compares the text of
// pictures.txt, in which what differs between runs, such as durations, is #.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

// manifest has the text of all pictures.
const manifest = "pictures.txt"

// shot is a picture in both themes.
type shot struct {
	name string
	text string            // what it shows
	file string            // extension of its files
	body map[string][]byte // by theme
}

func main() {
	folder := flag.String("folder", "docs/pictures", "folder of the pictures")
	check := flag.Bool("check", false, "compare the text of the pictures with the folder, and write nothing")
	program := flag.String("program", "bin/tabletop", "the program to run")
	report := flag.String("features", "reports/features", "folder of the report of make features")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	shots, err := take(ctx, *program, *report)
	if err == nil && *check {
		err = compare(*folder, shots)
	} else if err == nil {
		err = write(*folder, shots)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// take makes all pictures.
func take(ctx context.Context, program, report string) ([]shot, error) {
	dir, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := openBrowser(ctx, filepath.Join(dir, "chromium"))
	defer b.close()
	var shots []shot
	for _, group := range []func() ([]shot, error){
		func() ([]shot, error) { return consoleShots(ctx, b) },
		func() ([]shot, error) { return reportShots(b, report) },
		func() ([]shot, error) { return upShots(ctx, program) },
	} {
		more, err := group()
		if err != nil {
			return nil, err
		}
		shots = append(shots, more...)
	}
	return shots, nil
}

// texts returns the content of the manifest.
func texts(shots []shot) string {
	var b strings.Builder
	for _, s := range shots {
		fmt.Fprintf(&b, "=== %s\n%s\n", s.name, strings.TrimSpace(s.text))
	}
	return b.String()
}

func write(folder string, shots []shot) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, s := range shots {
		for theme, body := range s.body {
			name := filepath.Join(folder, s.name+"-"+theme+s.file)
			if err := os.WriteFile(name, body, 0o644); err != nil {
				return err
			}
			fmt.Printf("%s  %d KiB\n", name, len(body)>>10)
		}
	}
	return os.WriteFile(filepath.Join(folder, manifest), []byte(texts(shots)), 0o644)
}

// compare fails if a picture is missing or shows another text than the manifest has.
func compare(folder string, shots []shot) error {
	for _, s := range shots {
		for theme := range s.body {
			if _, err := os.Stat(filepath.Join(folder, s.name+"-"+theme+s.file)); err != nil {
				return err
			}
		}
	}
	want, err := os.ReadFile(filepath.Join(folder, manifest))
	if err != nil {
		return err
	}
	if lines := difference(string(want), texts(shots)); len(lines) > 0 {
		return errors.New("the pictures are out of date; run make pictures and commit the result:\n" +
			strings.Join(lines, "\n"))
	}
	fmt.Printf("PASS: %d pictures show what they showed when they were made\n", len(shots))
	return nil
}

// difference returns the lines that only one of two texts has, with - or +.
func difference(want, got string) (lines []string) {
	only := func(sign, a, b string) {
		for line := range strings.Lines(a) {
			if !strings.Contains("\n"+b, "\n"+line) {
				lines = append(lines, sign+strings.TrimSuffix(line, "\n"))
			}
		}
	}
	only("-", want, got)
	only("+", got, want)
	if len(lines) == 0 && want != got {
		lines = []string{"the same lines in another order"}
	}
	return lines
}
