package datafile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// TestEveryItemSurvivesEachFormat writes random items of every type in each format and reads them again.
func TestEveryItemSurvivesEachFormat(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		items := make([]datafile.Item, rng.IntN(40)+1)
		for i := range items {
			items[i] = randomItem(rng, i)
		}
		for _, format := range []datafile.Format{datafile.JSON, datafile.DynamoJSON, datafile.CSV} {
			var file bytes.Buffer
			w, err := datafile.NewWriter(&file, format, []string{"id"}, false)
			if err != nil {
				t.Fatal(err)
			}
			writeAll(t, w, items)
			source, err := datafile.New(&file, datafile.Options{})
			if err != nil || source.Format != format {
				t.Fatalf("seed %d: %s is read as %v, %v", seed, format, source, err)
			}
			wantItems(t, fmt.Sprintf("seed %d, %s", seed, format), source, items)
		}
		folder := t.TempDir()
		w, err := datafile.NewExportWriter(folder, datafile.ExportInfo{Start: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, w, items)
		source, err := datafile.Open(folder, datafile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		wantItems(t, fmt.Sprintf("seed %d, export", seed), source, items)
	}
}

func writeAll(t *testing.T, w datafile.Writer, items []datafile.Item) {
	t.Helper()
	for _, item := range items {
		if err := w.Write(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func wantItems(t *testing.T, what string, source *datafile.Source, want []datafile.Item) {
	t.Helper()
	defer source.Close()
	for i := 0; ; i++ {
		record, err := source.Next()
		if errors.Is(err, io.EOF) && i == len(want) {
			return
		}
		if err != nil {
			t.Fatalf("%s: item %d of %d: %v", what, i, len(want), err)
		}
		if i >= len(want) || text(record.Item) != text(want[i]) {
			t.Fatalf("%s: item %d\n got %s\nwant %s", what, i, text(record.Item), text(want[min(i, len(want)-1)]))
		}
	}
}

// text returns an item's attributes in the order of their names, also inside maps.
func text(item datafile.Item) string {
	sortAll(item)
	return string(datafile.AppendDynamoJSON(nil, item))
}

func sortAll(item datafile.Item) {
	item.Sort()
	for _, a := range item {
		sortAll(a.Value.Map)
		for _, e := range a.Value.List {
			sortAll(e.Map)
		}
	}
}

func randomItem(rng *rand.Rand, id int) datafile.Item {
	item := datafile.Item{{Name: "id", Value: datafile.Value{Type: datafile.String, Text: fmt.Sprint(id)}}}
	return append(item, randomMap(rng, 3)...)
}

// randomMap returns a map whose names are those that formats could misread.
func randomMap(rng *rand.Rand, levels int) datafile.Item {
	names := []string{"$binary", "$map", "$stringSet", "$numberSet", "N", "S", "a:N", "a", "x,y", `"q"`, "line\nbreak",
		"ä", ":",
		"Item", "M"}
	item := datafile.Item{}
	for range rng.IntN(4) {
		name := names[rng.IntN(len(names))]
		if _, ok := item.Get(name); !ok {
			item = append(item, datafile.Attribute{Name: name, Value: randomValue(rng, levels)})
		}
	}
	return item
}

func randomValue(rng *rand.Rand, levels int) datafile.Value {
	kinds := []datafile.Type{"S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"}
	if levels == 0 {
		kinds = kinds[:8]
	}
	v := datafile.Value{Type: kinds[rng.IntN(len(kinds))]}
	switch v.Type {
	case datafile.String:
		v.Text = randomText(rng)
	case datafile.Number:
		v.Text = randomNumber(rng)
	case datafile.Binary:
		v.Text = randomBytes(rng)
	case datafile.Bool:
		v.Bool = rng.IntN(2) == 0
	case datafile.StringSet:
		v.Members = []string{randomText(rng), "b"}
	case datafile.NumberSet:
		v.Members = []string{randomNumber(rng), "0"}
	case datafile.BinarySet:
		v.Members = []string{randomBytes(rng), "\x00\xff"}
	case datafile.List:
		v.List = []datafile.Value{}
		for range rng.IntN(3) {
			v.List = append(v.List, randomValue(rng, levels-1))
		}
	case datafile.Map:
		v.Map = randomMap(rng, levels-1)
	}
	return v
}

func randomText(rng *rand.Rand) string {
	texts := []string{"", " ", "plain", `a "quoted" one`, "a,b;c\td", "two\r\nlines", "\n", "=1+1", "'", "日本 🥛", "\u2028",
		"null",
		"{}", "\x01\x7f", strings.Repeat("long ", 1000), "5"}
	return texts[rng.IntN(len(texts))]
}

func randomNumber(rng *rand.Rand) string {
	numbers := []string{"0", "-1", "99999999999999999999999999999999999999", "1E-130", "9.9999999999999999999999999999999999999E+125",
		"0.1", "12.50", "-0.00000000000000000000000000000000000001"}
	return numbers[rng.IntN(len(numbers))]
}

func randomBytes(rng *rand.Rand) string {
	content := make([]byte, rng.IntN(5))
	for i := range content {
		content[i] = byte(rng.Uint32())
	}
	return string(content)
}

// TestAFolderOfAnExportIsChecked changes each file of an export and wants a refusal before the first item.
func TestAFolderOfAnExportIsChecked(t *testing.T) {
	t.Parallel()
	items := []datafile.Item{randomItem(rand.New(rand.NewPCG(1, 1)), 1)}
	for _, c := range []struct{ pattern, want string }{
		{"manifest-summary.json", "manifest-summary.json was changed: its checksum is not that of its .md5 file"},
		{"manifest-files.json", "manifest-files.json was changed: its checksum is not that of its .md5 file"},
		{"data/*.json.gz", "was changed: its checksum is"},
	} {
		folder := t.TempDir()
		w, err := datafile.NewExportWriter(folder, datafile.ExportInfo{})
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, w, items)
		damage(t, filepath.Join(folder, c.pattern))
		if _, err := datafile.Open(folder, datafile.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.pattern, err, c.want)
		}
	}
}
