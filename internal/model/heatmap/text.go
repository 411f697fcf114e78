package heatmap

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The capacity of a partition in a minute.
const readsAMinute, writesAMinute = 3000 * 60, 1000 * 60

// shades are the blocks of a minute, from no load to the most of the map.
var shades = []rune(" ░▒▓█")

// maxText is the length to which keys are shortened.
const maxText = 48

// Write writes the map for a terminal: a line for each partition, a block for each of the minutes up to the last one
// with requests, and below it the hottest keys of these minutes.
func (t *Table) Write(w io.Writer, minutes int) error {
	out := bufio.NewWriter(w)
	title := t.Resource
	if t.Account != "" {
		title += " of " + t.Account
	}
	if len(t.Minutes) == 0 {
		fmt.Fprintf(out, "%s  no traffic in the last 3 hours\n", title)
		return out.Flush()
	}
	last := t.Minutes[len(t.Minutes)-1].At
	first := last.Add(-time.Duration(minutes-1) * time.Minute)
	if earliest := t.Minutes[0].At; first.Before(earliest) {
		first = earliest
	}
	g := grid{table: t, first: first, columns: int(last.Sub(first)/time.Minute) + 1, cells: map[uint32][]PartitionLoad{}}
	g.fill()
	fmt.Fprintf(out, "%s  %s to %s\n", title, first.Format("2006-01-02 15:04"), last.Add(time.Minute).Format("15:04 MST"))
	g.write(out)
	g.writeKeys(out)
	return out.Flush()
}

// grid is the part of the map that is shown.
type grid struct {
	table   *Table
	first   time.Time
	columns int
	cells   map[uint32][]PartitionLoad // by partition and minute
	most    float64                    // the hottest cell, as a share of a partition's capacity
}

func (p *PartitionLoad) heat() float64 {
	return max(p.Read/readsAMinute, p.Write/writesAMinute, p.Normalized)
}

func (g *grid) fill() {
	for _, m := range g.shown() {
		column := int(m.At.Sub(g.first) / time.Minute)
		for _, p := range m.Partitions {
			if g.cells[p.ID] == nil {
				g.cells[p.ID] = make([]PartitionLoad, g.columns)
			}
			g.cells[p.ID][column] = p
			g.most = max(g.most, p.heat())
		}
	}
}

// shown returns the minutes in the grid.
func (g *grid) shown() []Minute {
	return slices.DeleteFunc(slices.Clone(g.table.Minutes), func(m Minute) bool { return m.At.Before(g.first) })
}

func (g *grid) write(out io.Writer) {
	for _, p := range g.table.Partitions {
		g.writeRow(out, label(p.Lo), p.ID)
		delete(g.cells, p.ID)
	}
	gone := make([]uint32, 0, len(g.cells)) // partitions that have been split since
	for id := range g.cells {
		gone = append(gone, id)
	}
	slices.Sort(gone)
	for _, id := range gone {
		g.writeRow(out, "split", id)
	}
	fmt.Fprintf(out, "%-14s█ is %s of a partition's throughput; ✕ marks throttled requests\n", "", percent(g.most))
}

func (g *grid) writeRow(out io.Writer, from string, id uint32) {
	var line strings.Builder
	var sum PartitionLoad
	for _, c := range append([]PartitionLoad(nil), g.cells[id]...) {
		line.WriteRune(g.shade(&c))
		sum.Read, sum.Write, sum.Throttled, sum.Units = sum.Read+c.Read, sum.Write+c.Write, sum.Throttled+c.Throttled,
			sum.Units+c.Units
	}
	blocks := line.String() + strings.Repeat(" ", max(0, g.columns-len(g.cells[id])))
	fmt.Fprintf(out, "%4d %-8s │%s│ %s\n", id, from, blocks, sum.amounts())
}

func (g *grid) shade(c *PartitionLoad) rune {
	heat := c.heat()
	switch {
	case c.Throttled > 0:
		return '✕'
	case heat == 0 || g.most == 0:
		return shades[0]
	}
	return shades[min(len(shades)-1, 1+int(heat/g.most*float64(len(shades)-1)))]
}

// writeKeys writes the hottest keys of the minutes in the grid.
func (g *grid) writeKeys(out io.Writer) {
	sums := map[string]KeyLoad{}
	for _, m := range g.shown() {
		for _, k := range m.Keys {
			s := sums[k.Key]
			sums[k.Key] = KeyLoad{k.Key, s.Read + k.Read, s.Write + k.Write, s.Throttled + k.Throttled}
		}
	}
	keys := make([]KeyLoad, 0, len(sums))
	for _, k := range sums {
		keys = append(keys, k)
	}
	heat := func(k KeyLoad) float64 {
		return k.Read/readsAMinute + (k.Write+float64(k.Throttled))/writesAMinute
	}
	slices.SortFunc(keys, func(a, b KeyLoad) int {
		return cmp.Or(cmp.Compare(heat(b), heat(a)), strings.Compare(a.Key, b.Key))
	})
	if len(keys) > 0 {
		fmt.Fprintln(out, "hottest keys")
	}
	for _, k := range keys[:min(len(keys), 10)] {
		fmt.Fprintf(out, "  %-*s %s\n", 24, text(k.Key), amounts(k.Read, k.Write, k.Throttled))
	}
}

// label returns the hash at which a partition begins.
func label(lo []byte) string {
	if len(lo) == 0 {
		return "00000000"
	}
	return fmt.Sprintf("%-8s", fmt.Sprintf("%x", lo[:min(4, len(lo))]))
}

// text returns a key on one line.
func text(key string) string {
	runes := []rune(key)
	if len(runes) > maxText {
		runes = append(runes[:maxText-1], '…')
	}
	quoted := strconv.Quote(string(runes))
	return quoted[1 : len(quoted)-1]
}

// amounts describes the load of a partition.
func (p *PartitionLoad) amounts() string {
	text := amounts(p.Read, p.Write, p.Throttled)
	if p.Units == 0 {
		return text
	}
	return strings.TrimSuffix(strconv.FormatFloat(p.Units, 'f', 2, 64)+" RU, "+text, ", ")
}

func amounts(read, write float64, throttled uint32) string {
	var parts []string
	if write > 0 {
		parts = append(parts, units(write)+" write units")
	}
	if read > 0 {
		parts = append(parts, units(read)+" read units")
	}
	if throttled > 0 {
		parts = append(parts, fmt.Sprintf("%d throttled", throttled))
	}
	return strings.Join(parts, ", ")
}

func units(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func percent(share float64) string {
	if share < 0.001 {
		return "less than 0.1%"
	}
	return strconv.FormatFloat(share*100, 'f', 1, 64) + "%"
}
