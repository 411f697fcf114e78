package targets

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestDropTablesWithoutListPermission checks that a service whose policy does not allow it to list tables gets no
// warning about tables left behind, because it creates none.
func TestDropTablesWithoutListPermission(t *testing.T) {
	t.Parallel()
	db := emulator.Run(t, emulator.WithIdentitiesFrom(strings.NewReader(
		"users: {service: {keys: [{id: AKIASERVICESERVICE01, secret: of-the-desk}]}}\n")))
	if err := dropTables(&Target{Config: db.AWSConfigFor("service"), TablePrefix: "run-"}); err != nil {
		t.Error(err)
	}
}
