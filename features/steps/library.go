package steps

import (
	"fmt"
	"strings"

	"github.com/cucumber/godog"
)

// Step is one sentence that a scenario can say.
type Step struct {
	Pattern string // a regular expression of the whole sentence
	Do      any    // a function that takes its groups, as godog calls it
	Example string // a sentence that the pattern fits
	Says    string // what it does or holds, in words
}

// Group is the steps about one thing.
type Group struct {
	Title, Intro string
	Business     bool // a business feature may say them; the others are of the wire
	Steps        []Step
}

// Register offers all steps of this package.
func (w *World) Register(sc *godog.ScenarioContext) { Register(sc, w.Library()) }

// Register offers the steps of groups.
func Register(sc *godog.ScenarioContext, groups []Group) {
	for _, g := range groups {
		for _, s := range g.Steps {
			sc.Step(s.Pattern, s.Do)
		}
	}
}

// Library is all steps of this package, over the world.
func (w *World) Library() []Group {
	return []Group{
		w.emulatorSteps(), w.creationSteps(), w.tableSteps(), w.indexSteps(),
		w.writeSteps(), w.readSteps(), w.requestSteps(), w.batchSteps(), w.replySteps(), w.itemSteps(),
		w.wireSteps(), w.cosmosWireSteps(), w.clockSteps(), w.faultSteps(), w.raceSteps(), w.alarmSteps(), w.logSteps(),
	}
}

const head = `# Steps: what a scenario can say

Every generic sentence, with an example of each. ` + "`tabletop features`" + ` uses them, and so can a team for its own tables:
[specs for your tables](specs-for-your-tables.md) is the tutorial. In each text {now}, {seconds in 30 days} and {whatever a step
gave a name to} are filled in. This page is generated: ` + "`go test ./features/steps -rewrite`" + `.

The features of the five systems say in <topic>.feature what a system's owner would say, and in <topic>.wire.feature what goes
over the wire: [features](features.md#business-and-wire).
`

// Reference writes the page of groups of steps, in Markdown.
func Reference(groups []Group) string {
	var b strings.Builder
	b.WriteString(head)
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Title)
		if g.Intro != "" {
			b.WriteString(g.Intro + "\n\n")
		}
		if g.Business {
			b.WriteString("A business feature may say these.\n\n")
		}
		b.WriteString("| a scenario says | which means |\n|---|---|\n")
		for _, s := range g.Steps {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(s.Example), cell(s.Says))
		}
	}
	return b.String()
}

// cell makes text fit for a table: a sentence that has a table or a text below it ends with a colon.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
