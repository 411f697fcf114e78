package cosmos

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// oldestVersion is the first version of the REST interface that is still served.
const oldestVersion = "2015-04-08"

// checkVersion holds a request to a version of the REST interface, which is a date. Without one it is the latest
// ("Azure Cosmos DB: REST API Reference"). The SDKs send others than those that are documented there, so that each date
// is taken that has been.
func (x *exchange) checkVersion() *wire.Error {
	version := x.Header("X-Ms-Version")
	if version == "" {
		return nil
	}
	if at, err := time.Parse(time.DateOnly, version); err != nil || version < oldestVersion || at.After(x.Account.Clock.Machine()) {
		return wire.BadRequest("Invalid API version. Ensure a valid x-ms-version header value is passed. Please update to the latest version of Azure Cosmos DB SDK.")
	}
	return nil
}
