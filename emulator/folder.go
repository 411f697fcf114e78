package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/kms"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// FolderReport is what [CheckFolder] or [SalvageFolder] found in a data folder.
type FolderReport struct {
	Format   int      // of the folder; the newest is 3
	Tables   int      // sorted tables, of which each block was read
	Logs     int      // logs that were read
	Entries  int64    // keys in the database, up to the first that cannot be read; 0 where it cannot be opened
	Opened   int64    // values of encrypted tables among them that were opened by their customer's key
	Sealed   int64    // values that were not, because that key may not be used
	Findings []string // one line each
	Damaged  bool     // false where all findings are what a crash may leave behind

	Kept []KeptEntries // what was salvaged
	Lost []string      // what was not, one line each; older values of keys in their ranges may have come back
	// Unsure is true where it could not be read which files counted: deleted entries may have come back.
	Unsure bool
}

// KeptEntries are entries of one table, container or kind in a salvaged folder.
type KeptEntries struct {
	Kind  string // such as `table "orders"`, or "identities and alarms"
	Count int
}

// CheckFolder examines a data folder that no emulator runs on, to the last block, and changes nothing in it. rootKey is
// as in [WithRootKey]. An error is of a folder that cannot be examined; damage is in the report.
func CheckFolder(dir, rootKey string) (*FolderReport, error) {
	r, err := store.Check(examined(dir, rootKey))
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// BackUpFolder copies a data folder that no emulator runs on into a new one and examines both; [WithData] opens the
// copy. A damaged folder is not copied. The root key goes with it only where it lies in the folder.
func BackUpFolder(dir, rootKey, newDir string) (*FolderReport, error) {
	r, err := store.CopyFolder(examined(dir, rootKey), newDir)
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// SalvageFolder copies what can be read of a data folder into a new one, which is encrypted where the damaged one is,
// by a root key of its own in it. The damaged folder is not changed.
func SalvageFolder(dir, rootKey, newDir string) (*FolderReport, error) {
	s, err := store.Salvage(examined(dir, rootKey), store.Options{Dir: newDir})
	if err != nil {
		return nil, err
	}
	r := folderReport(&s.Report)
	r.Unsure, r.Lost = s.Orphan, texts(s.Lost)
	for _, name := range slices.Sorted(maps.Keys(s.Kept)) {
		r.Kept = append(r.Kept, KeptEntries{cmp.Or(name, "entries of tables, containers and backups that are not there"), s.Kept[name]})
	}
	return r, nil
}

// examined are the options by which a folder is examined: what lies in it is named, and sealed values are opened.
func examined(dir, rootKey string) store.Options {
	return store.Options{Dir: dir, RootKey: rootKey, Survey: survey}
}

// survey names what lies in a store that can only be read, and opens what is sealed there by keys that may be used.
func survey(s *store.Store) {
	nameKinds(s.Names())
	dynamo.Survey(s, kms.Survey(s))
	engine.Survey(s)
}

func folderReport(r *store.Report) *FolderReport {
	return &FolderReport{
		Format: r.Format, Tables: r.Tables, Logs: r.Logs, Entries: r.Entries, Opened: r.Opened, Sealed: r.Sealed,
		Findings: texts(r.Findings), Damaged: r.Damaged(),
	}
}

func texts[T fmt.Stringer](findings []T) []string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.String()
	}
	return all
}

// nameKinds names what is of no table or container of its own, by the letters that the services give.
func nameKinds(n *store.Names) {
	for prefix, name := range map[string]string{
		"c": "definitions of DynamoDB's tables", "n": "counts of DynamoDB's tables", "x": "times to live of DynamoDB's items",
		"t": "tokens of DynamoDB's transactions", "s": "streams of DynamoDB", "bm": "descriptions of DynamoDB's backups",
		"zm": "definitions of Cosmos DB", "zn": "counters of Cosmos DB's containers", "ze": "times to live of Cosmos DB's items",
		"e": "keys of encrypted tables", "k": "keys of KMS", "u": "identities", "w": "alarms",
	} {
		n.Set([]byte(prefix), store.Other, name)
	}
}

// FolderRefused reports whether err says that a data folder cannot be opened or examined; its text names the remedy.
func FolderRefused(err error) bool {
	var refusal *store.OpenError
	return errors.As(err, &refusal)
}
