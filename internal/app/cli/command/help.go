package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the number of columns of help texts.
const helpWidth = 80

// groupKey is the annotation of a flag with the title of its group.
const groupKey = "tabletop_group"

// GroupFlags adds the flags that bind adds, as a group with a title in the help.
func GroupFlags(flags *pflag.FlagSet, title string, bind func(*pflag.FlagSet)) {
	group := pflag.NewFlagSet(title, pflag.ContinueOnError)
	bind(group)
	group.VisitAll(func(f *pflag.Flag) { _ = group.SetAnnotation(f.Name, groupKey, []string{title}) })
	flags.AddFlagSet(group)
}

// writeHelp writes the help of a command: what it does, how to call it, its commands and flags.
func writeHelp(w io.Writer, cmd *cobra.Command) {
	_, _ = fmt.Fprintf(w, "%s\n\nUsage:\n", wrap(strings.TrimSpace(cmd.Long), helpWidth))
	if cmd.Runnable() {
		_, _ = fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		_, _ = fmt.Fprintf(w, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		_, _ = fmt.Fprintf(w, "\nExamples:\n%s\n", wrapExamples(strings.TrimRight(cmd.Example, "\n"), helpWidth))
	}
	writeCommands(w, cmd)
	writeFlags(w, cmd.LocalFlags())
	if cmd.HasAvailableSubCommands() {
		_, _ = fmt.Fprintf(w, "\nUse \"%s [command] --help\" for more information about a command.\n", cmd.CommandPath())
	}
}

// writeCommands writes the subcommands by group; those without a group are last.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	for _, group := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Commands:"}) {
		title := "\n" + group.Title + "\n"
		for _, sub := range cmd.Commands() {
			if sub.GroupID != group.ID || !sub.IsAvailableCommand() {
				continue
			}
			_, _ = fmt.Fprintf(w, "%s  %s\n", title, strings.TrimSpace(indent(
				fmt.Sprintf("%-*s %s", cmd.NamePadding()+1, sub.Name(), sub.Short), cmd.NamePadding()+4)))
			title = ""
		}
	}
}

// writeFlags writes the flags by group, in the order of the groups' first flags; those without a group are last.
func writeFlags(w io.Writer, flags *pflag.FlagSet) {
	var titles []string
	groups := map[string]*pflag.FlagSet{}
	flags.SortFlags = false
	flags.VisitAll(func(f *pflag.Flag) {
		title := "Flags"
		if of := f.Annotations[groupKey]; len(of) > 0 {
			title = of[0] + " flags"
		}
		if groups[title] == nil {
			groups[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
			titles = append(titles, title)
		}
		groups[title].AddFlag(f)
	})
	slices.SortStableFunc(titles, func(a, b string) int { return rank(a) - rank(b) })
	for _, title := range titles {
		if usages := groups[title].FlagUsagesWrapped(helpWidth); usages != "" {
			_, _ = fmt.Fprintf(w, "\n%s:\n%s", title, usages)
		}
	}
}

func rank(title string) int {
	if title == "Flags" {
		return 1
	}
	return 0
}

// indent wraps a line, and indents its continuations.
func indent(line string, columns int) string {
	return strings.ReplaceAll(wrap(line, helpWidth-2), "\n", "\n"+strings.Repeat(" ", columns))
}

// wrap breaks paragraphs into lines of at most this many columns. Lines that begin with a space stay as they are.
func wrap(text string, columns int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, paragraph := range paragraphs {
		if strings.HasPrefix(paragraph, " ") {
			continue
		}
		var out strings.Builder
		column := 0
		for _, word := range words(paragraph) {
			switch {
			case column > 0 && column+1+len([]rune(word)) > columns:
				out.WriteString("\n")
				column = 0
			case column > 0:
				out.WriteString(" ")
				column++
			}
			out.WriteString(word)
			column += len([]rune(word))
		}
		paragraphs[i] = out.String()
	}
	return strings.Join(paragraphs, "\n\n")
}

// words splits a text at single spaces and line ends, so that columns that are aligned with several spaces stay.
func words(text string) []string {
	return strings.Split(strings.ReplaceAll(text, "\n", " "), " ")
}
