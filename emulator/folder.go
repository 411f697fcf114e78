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

// FolderReport is the result of [CheckFolder] or [SalvageFolder] for a data folder.
type FolderReport struct {
	Format int `json:"format"` // of the folder; the newest is 4
	Tables int `json:"tables"` // sorted tables, each block of which was read
	Logs   int `json:"logs"`   // logs that were read
	// Entries counts keys in the database, up to the first that cannot be read; 0 if the database cannot be opened.
	Entries int64 `json:"entries"`
	// Opened counts the values of encrypted tables among them that were decrypted with their customer managed key.
	Opened   int64    `json:"decrypted"`
	Sealed   int64    `json:"notDecrypted"` // values that were not, because that key may not be used
	Findings []string `json:"findings"`     // one line each
	Damaged  bool     `json:"damaged"`      // whether there are findings other than what a crash may leave behind

	Kept []KeptEntries `json:"kept,omitempty"` // salvaged entries
	Lost []string      `json:"lost,omitempty"` // losses, one line each; older values of keys in their ranges may be back
	// Unsure reports that it is not known which files were current: deleted entries may have come back.
	Unsure bool `json:"unsure,omitempty"`
}

// KeptEntries counts the entries of one table, container or kind in a salvaged folder.
type KeptEntries struct {
	Kind  string `json:"kind"` // such as `table "orders"`, or "identities and alarms"
	Count int    `json:"count"`
}

// CheckFolder reads a data folder that no emulator has open, down to the last block, and changes nothing in it. rootKey
// is as in [WithRootKey]. Errors: a folder that cannot be checked. Damage is not an error: it is in the report.
func CheckFolder(dir, rootKey string) (*FolderReport, error) {
	r, err := store.Check(checkOptions(dir, rootKey))
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// BackUpFolder copies a data folder that no emulator has open into a new one and checks both; [WithData] opens the
// copy. Errors: a damaged folder, which is not copied. The root key is copied only if it is in the folder.
func BackUpFolder(dir, rootKey, newDir string) (*FolderReport, error) {
	r, err := store.CopyFolder(checkOptions(dir, rootKey), newDir)
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// SalvageFolder copies what can be read from a data folder into a new one. If the damaged folder is encrypted, so is
// the new one, with a new root key in the folder. The damaged folder is not changed. begun is called before newDir is
// created, which is incomplete from then on until the salvage has ended; it may be nil.
func SalvageFolder(dir, rootKey, newDir string, begun func()) (*FolderReport, error) {
	s, err := store.Salvage(checkOptions(dir, rootKey), store.Options{Dir: newDir, Begun: begun})
	if err != nil {
		return nil, err
	}
	r := folderReport(&s.Report)
	r.Unsure, r.Lost = s.Orphan, texts(s.Lost)
	for _, name := range slices.Sorted(maps.Keys(s.Kept)) {
		r.Kept = append(r.Kept, KeptEntries{cmp.Or(name, "entries of tables, containers and backups that are not there"),
			s.Kept[name]})
	}
	return r, nil
}

// checkOptions returns the store options for checking a folder: its contents are named, and sealed values are
// decrypted.
func checkOptions(dir, rootKey string) store.Options {
	return store.Options{Dir: dir, RootKey: rootKey, Survey: registerAndDecrypt}
}

// registerAndDecrypt registers the names of what is in a read-only store, and decrypts sealed values whose keys may be
// used.
func registerAndDecrypt(s *store.Store) {
	registerNames(s.Names())
	dynamo.Survey(s, kms.Survey(s))
	engine.RegisterNames(s)
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

// registerNames names the kinds of keys that belong to no single table or container, by their key prefix.
func registerNames(n *store.Names) {
	for prefix, name := range map[string]string{
		"c": "definitions of DynamoDB's tables", "n": "counts of DynamoDB's tables", "x": "times to live of DynamoDB's items",
		"t": "tokens of DynamoDB's transactions", "s": "streams of DynamoDB",
		"y": "progress of Kinesis destinations", "bm": "descriptions of DynamoDB's backups",
		"j":  "exports, imports and bulk operations of DynamoDB",
		"zm": "definitions of Cosmos DB", "zn": "counters of Cosmos DB's containers",
		"ze": "times to live of Cosmos DB's items",
		"e":  "keys of encrypted tables", "k": "keys of KMS", "r": "streams of Kinesis", "u": "identities", "w": "alarms",
		"a": "scalable targets and scaling activities",
	} {
		n.Set([]byte(prefix), store.Other, name)
	}
}

// FolderRefused reports whether err means that a data folder cannot be opened or checked. Its text states the remedy.
func FolderRefused(err error) bool {
	var refusal *store.OpenError
	return errors.As(err, &refusal)
}
