package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// numbers are what differs between two runs of tabletop up: numbers and secrets.
var numbers = regexp.MustCompile(`\S+…|[0-9][0-9.,:hms-]*`)

// delays are parts of the progress that a busy machine adds.
var delays = regexp.MustCompile(`# behind `)

// upShots records tabletop up with 1,000 devices until its second line of progress, after ten seconds, and its end.
func upShots(ctx context.Context, program string) ([]shot, error) {
	lines, err := record(ctx, program)
	if err != nil {
		return nil, fmt.Errorf("tabletop up: %w", err)
	}
	lines = abridge(lines)
	s := shot{name: "up", file: ".svg",
		body: map[string][]byte{"light": terminal(lines, light), "dark": terminal(lines, dark)}}
	for _, line := range lines {
		text := strings.Join(strings.Fields(numbers.ReplaceAllString(line, "#")), " ")
		s.text += delays.ReplaceAllString(text, "") + "\n"
	}
	return []shot{s}, nil
}

// record returns what the program prints, as a terminal would show it.
func record(ctx context.Context, program string) (lines []string, err error) {
	command := exec.CommandContext(ctx, program, "up", "--dynamodb-addr", "127.0.0.1:0", "--cosmos-addr", "127.0.0.1:0",
		"--backend-addr", "127.0.0.1:0", "--push-addr", "127.0.0.1:0", "--speed", "60")
	out, in := io.Pipe()
	command.Stdout, command.Stderr = in, in
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		ended <- command.Wait()
		in.Close()
	}()
	progress := 0
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		lines = append(lines, scanner.Text())
		if !strings.Contains(scanner.Text(), " requests/s ") {
			continue
		}
		if progress++; progress == 2 {
			err = command.Process.Signal(os.Interrupt)
		}
	}
	if ended := <-ended; err == nil {
		err = ended
	}
	return lines, err
}

var (
	port   = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	secret = regexp.MustCompile(`[0-9A-Za-z+/]{24,}=*`)
)

// defaults are the ports of tabletop up without flags, in the order in which it prints them.
var defaults = []string{"8000", "8081", "8080", "8090"}

// abridge shortens what the program printed: without the examples of requests, without the progress that is
// overwritten, and with shortened secrets. The ports are those that the program has without flags.
func abridge(lines []string) (short []string) {
	ports := map[string]string{}
	named := func(address string) string {
		if ports[address] == "" && len(ports) < len(defaults) {
			ports[address] = "127.0.0.1:" + defaults[len(ports)]
		}
		return ports[address]
	}
	example, progress := false, 0
	for _, line := range lines {
		padded := port.ReplaceAllStringFunc(line, named)
		if i := strings.Index(line, "   "); i > 0 && len(padded) != len(line) {
			padded = realign(line, padded)
		}
		line = secret.ReplaceAllStringFunc(padded, func(s string) string { return s[:8] + "…" })
		switch {
		case strings.HasPrefix(line, "Try in another terminal"):
			example = true
		case strings.HasPrefix(line, "Press Ctrl-C"):
			example = false
		case strings.Contains(line, " requests/s "):
			if progress++; progress != 2 {
				continue
			}
		}
		if !example {
			short = append(short, line)
		}
	}
	return short
}

// realign keeps the second column of the banner where it is when an address in the first one became shorter.
func realign(before, after string) string {
	column := regexp.MustCompile(`^(.{15}\S+)( +)(.*)$`)
	old, changed := column.FindStringSubmatch(before), column.FindStringSubmatch(after)
	if old == nil || changed == nil {
		return after
	}
	return changed[1] + strings.Repeat(" ", max(1, len(old[1])+len(old[2])-len(changed[1]))) + changed[3]
}
