package emulator_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// folderOfBoth creates a folder with a table and a container of some items each, all of which are in sorted tables.
func folderOfBoth(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for start := range 2 { // opening writes the log to sorted tables
		e, err := emulator.Start(emulator.WithData(dir))
		if err != nil {
			t.Fatal(err)
		}
		if start == 0 {
			makeTable(t, client(e), "items")
			makeContainer(t, e, nil)
			table, container := dynamoWriter(e), cosmosWriter(t, e)
			for i := range 20 {
				if err := errors.Join(table.write(t.Context(), fmt.Sprint(i)), container.write(t.Context(),
					fmt.Sprint(i))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// flipIn flips a bit in each sorted table of a folder, at a relative position from 0 to 1. It writes only that byte: an
// emulator that is running may be reading the others.
func flipIn(t *testing.T, dir string, part float64) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "data", "*.sst"))
	if err != nil || len(names) == 0 {
		t.Fatal("no sorted tables", err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := int(part * float64(len(content)-1))
		if err := writeByteAt(name, content[at]^4, int64(at)); err != nil {
			t.Fatal(err)
		}
	}
}

func writeByteAt(name string, b byte, at int64) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt([]byte{b}, at)
	return errors.Join(err, file.Close())
}

// TestDamageNamesTablesAndContainers flips a bit among the items of a table, and of a container. The running emulator
// and the doctor name the damaged one, and salvaging counts what of each is kept, and may be lost.
func TestDamageNamesTablesAndContainers(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]float64{`table "items"`: 0.25, `container "shop/orders"`: 0.75} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := folderOfBoth(t)
			flipIn(t, dir, at)
			report, err := emulator.CheckFolder(dir, "")
			if err != nil || !strings.Contains(strings.Join(report.Findings, "\n"), "which may affect "+name) {
				t.Errorf("the doctor finds %+v, %v", report, err)
			}
			checkSalvagedCounts(t, dir, name)
			flipIn(t, dir, at) // flips it back
			e, err := emulator.Start(emulator.WithData(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close() // Close reports the damage
			flipIn(t, dir, at)
			for i := range 20 {
				_ = dynamoWriter(e).read(t.Context(), fmt.Sprint(i))
				_ = cosmosWriter(t, e).read(t.Context(), fmt.Sprint(i))
			}
			if err := e.Err(); err == nil || !strings.Contains(err.Error(), "is damaged, which may affect ") ||
				!strings.Contains(err.Error(), name) {
				t.Errorf("after reading a damaged block Err is %v, want one that names the %s", err, name)
			}
		})
	}
}

func checkSalvagedCounts(t *testing.T, dir, damaged string) {
	t.Helper()
	report, err := emulator.SalvageFolder(dir, "", filepath.Join(t.TempDir(), "new"), nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]int{}
	for _, k := range report.Kept {
		kept[k.Kind] = k.Count
	}
	if n := kept[`table "items"`]; n < 19 || n > 20 || damaged == `table "items"` && n == 20 {
		t.Errorf("%d of 20 items are kept of the table: %v", n, report.Kept)
	}
	if len(report.Lost) != 1 || !strings.Contains(report.Lost[0], "at most 1 entries, which may affect "+damaged) {
		t.Errorf("lost are %q, want one entry of the %s", report.Lost, damaged)
	}
}
