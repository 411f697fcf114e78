package emulator

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// FolderReport is what [CheckFolder] or [SalvageFolder] found in a data folder.
type FolderReport struct {
	Format   int      // of the folder; the newest is 3
	Tables   int      // sorted tables, of which each block was read
	Logs     int      // logs that were read
	Entries  int64    // keys in the database; 0 where it cannot be opened
	Findings []string // one line each
	Damaged  bool     // false where all findings are what a crash may leave behind

	Kept []KeptEntries // what was salvaged
	Lost []string      // what was not, one line each; older values of keys in their ranges may have come back
	// Unsure is true where it could not be read which files counted: deleted entries may have come back.
	Unsure bool
}

// KeptEntries are entries of one kind in a salvaged folder.
type KeptEntries struct {
	Kind  string // such as "items of DynamoDB"
	Count int
}

// CheckFolder examines a data folder that no emulator runs on, to the last block, and changes nothing in it. rootKey is as in
// [WithRootKey]. An error is of a folder that cannot be examined; damage is in the report.
func CheckFolder(dir, rootKey string) (*FolderReport, error) {
	r, err := store.Check(store.Options{Dir: dir, RootKey: rootKey})
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// BackUpFolder copies a data folder that no emulator runs on into a new one and examines both; [WithData] opens the copy. A
// damaged folder is not copied. The root key goes with it only where it lies in the folder.
func BackUpFolder(dir, rootKey, newDir string) (*FolderReport, error) {
	r, err := store.CopyFolder(store.Options{Dir: dir, RootKey: rootKey}, newDir)
	if err != nil {
		return nil, err
	}
	return folderReport(r), nil
}

// SalvageFolder copies what can be read of a data folder into a new one, which has a root key of its own in it. The damaged
// folder is not changed.
func SalvageFolder(dir, rootKey, newDir string) (*FolderReport, error) {
	s, err := store.Salvage(store.Options{Dir: dir, RootKey: rootKey}, store.Options{Dir: newDir})
	if err != nil {
		return nil, err
	}
	r := folderReport(&s.Report)
	r.Unsure, r.Lost = s.Orphan, texts(s.Lost)
	for _, kind := range entryKinds() {
		count := 0
		for space, n := range s.Kept {
			if strings.IndexByte(kind.spaces, space) >= 0 {
				count += n
			}
		}
		if count > 0 {
			r.Kept = append(r.Kept, KeptEntries{kind.name, count})
		}
	}
	return r, nil
}

func folderReport(r *store.Report) *FolderReport {
	return &FolderReport{
		Format: r.Format, Tables: r.Tables, Logs: r.Logs, Entries: r.Entries, Findings: texts(r.Findings), Damaged: r.Damaged(),
	}
}

func texts(findings []store.Finding) []string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = f.String()
	}
	return all
}

// entryKinds names the entries of the store by the first byte of their keys, as the services give them.
func entryKinds() []struct{ name, spaces string } {
	return []struct{ name, spaces string }{
		{"tables of DynamoDB and their counts", "cn"},
		{"items of DynamoDB, in tables and indexes", "i"},
		{"entries of time to live, tokens and streams of DynamoDB", "xts"},
		{"backups of DynamoDB and their items", "b"},
		{"changes for streams, change feeds and recovery", "l"},
		{"Cosmos DB: databases, containers, documents, indexes", "z"},
		{"keys of tables and of KMS", "ek"},
		{"identities and alarms", "uw"},
	}
}

// FolderRefused reports whether err says that a data folder cannot be opened or examined; its text names the remedy.
func FolderRefused(err error) bool {
	var refusal *store.OpenError
	return errors.As(err, &refusal)
}
