package dynamo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/streams"
)

// TestStoredMembersAreUnchanged checks the stored members of tables, streams and backups: folders of other
// versions have these, and what an operation keeps only in memory must not be stored.
func TestStoredMembersAreUnchanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value   any
		members string
	}{
		"table": {engine.Definition{},
			"ARN Archival Attributes BillingMode Class Created DeletionProtection EnteringExpiry Global ID KeySchema Local " +
				"Name OnDemand OnDemandSince Policy Recovery Restoring SSE Sealing Stream StreamPolicy TTLAttribute Tags Throughput UUID Warm"},
		"stream": {streams.Stream{}, "ARN Created End KeySchema Label Partitioning Start Table TableName ViewType"},
		"backup": {backup.StoredBackup{Backup: new(backup.Backup)},
			"ARN Account Bytes Created Definition Expires ID InPlace Items Name Type Unfinished"},
	} {
		text, err := json.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatal(err)
		}
		var names []string
		for member := range members {
			names = append(names, member)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != c.members {
			t.Errorf("of a %s the store has\n%s, want\n%s", name, got, c.members)
		}
	}
}
