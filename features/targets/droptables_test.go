package targets

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestWhoMayNotListTablesMadeNone: a service under a policy of its own leaves nothing behind, and is not told that it
// might.
func TestWhoMayNotListTablesMadeNone(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(
		"users: {service: {keys: [{id: AKIASERVICESERVICE01, secret: of-the-desk}]}}\n")))
	if err := dropTables(&Target{Config: db.AWSConfigFor("service"), TablePrefix: "run-"}); err != nil {
		t.Error(err)
	}
}
