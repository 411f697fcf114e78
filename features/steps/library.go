package steps

import (
	"fmt"
	"strings"

	"github.com/cucumber/godog"
)

// Step is one step that scenarios can use.
type Step struct {
	Pattern     string // a regular expression for the whole step
	Do          any    // a function of the pattern's groups, as godog calls it
	Example     string // a step that the pattern matches
	Description string // what it does or checks, for the reference
}

// Group is the steps about one subject.
type Group struct {
	Title, Intro string
	Business     bool // business features may use them; the others are about the wire
	Steps        []Step
}

// Register registers all steps of this package.
func (w *World) Register(sc *godog.ScenarioContext) { Register(sc, w.Library()) }

// Register registers the steps of groups.
func Register(sc *godog.ScenarioContext, groups []Group) {
	for _, g := range groups {
		for _, s := range g.Steps {
			sc.Step(s.Pattern, s.Do)
		}
	}
}

// Library returns all steps of this package, for the world.
func (w *World) Library() []Group {
	return []Group{
		w.emulatorSteps(), w.creationSteps(), w.tableSteps(), w.indexSteps(),
		w.writeSteps(), w.readSteps(), w.requestSteps(), w.batchSteps(), w.replySteps(), w.itemSteps(),
		w.wireSteps(), w.cosmosWireSteps(), w.clockSteps(), w.faultSteps(), w.raceSteps(), w.alarmSteps(), w.logSteps(),
		w.commandSteps(),
	}
}

const head = `# Steps

All generic steps, each with an example. ` + "`tabletop features`" + ` uses them, and you can use them for your own tables:
[specs for your tables](specs-for-your-tables.md) is the tutorial. Every text can contain {now}, {seconds in 30 days}
and the names of saved values in braces, which are replaced. This page is generated:
` + "`go test ./features/steps -rewrite`" + `.

The features of the five systems describe in ` + "`TOPIC.feature`" + ` what a product owner would say, and in
` + "`TOPIC.wire.feature`" + ` the requests that follow: [features](features.md#business-and-wire).
`

// Reference returns the reference page of groups of steps, in Markdown.
func Reference(groups []Group) string {
	var b strings.Builder
	b.WriteString(head)
	for _, g := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Title)
		if g.Intro != "" {
			b.WriteString(wrap(g.Intro) + "\n\n")
		}
		if g.Business {
			b.WriteString("Business features can use these steps.\n\n")
		}
		b.WriteString("| step | meaning |\n|---|---|\n")
		for _, s := range g.Steps {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(s.Example), cell(s.Description))
		}
	}
	return b.String()
}

// cell escapes text for a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// wrap breaks a paragraph into lines of up to 120 bytes.
func wrap(text string) string {
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case length == 0:
		case length+1+len(word) > 120:
			b.WriteByte('\n')
			length = 0
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String()
}
