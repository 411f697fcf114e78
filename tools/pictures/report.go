package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/chromedp/chromedp"
)

// figures are what differs between two runs of the scenarios: counts and durations.
var figures = regexp.MustCompile(`[0-9][0-9.,]*( ?(ms|µs|s|min)\b)?`)

// openScenario shows the steps of the first scenario of a requirement.
const openScenario = `document.querySelector('#PE-P1').closest('tbody, section, body').querySelectorAll('summary').forEach((s) => {
	if (s.textContent.includes('A phone registers for the first time') && !s.textContent.includes('wire')) s.click()
})`

// reportShots takes the report of all scenarios, with the steps of one of them.
func reportShots(b *browser, folder string) ([]shot, error) {
	page, err := filepath.Abs(filepath.Join(folder, "index.html"))
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(page); err != nil {
		return nil, fmt.Errorf("%w: run make features first", err)
	}
	b.visit("file://" + page + "#PE-P1")
	b.sees("A phone registers for the first time")
	b.do(chromedp.Evaluate[chromedp.Void](openScenario))
	b.sees("When")
	return []shot{b.picture("features", figures)}, b.err
}
