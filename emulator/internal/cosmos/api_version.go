package cosmos

import (
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// oldestVersion is the oldest supported version of the REST API.
const oldestVersion = "2015-04-08"

// checkVersion checks the version of the REST API in a request, which is a date. Without one the latest applies ("Azure
// Cosmos DB: REST API Reference"). SDKs send versions that are not documented there, so any past date is accepted.
func (x *exchange) checkVersion() *wire.Error {
	version := x.Header("X-Ms-Version")
	if version == "" {
		return nil
	}
	if at, err := time.Parse(time.DateOnly, version); err != nil || version < oldestVersion ||
		at.After(x.Account.Clock.Machine()) {
		return wire.BadRequest("Invalid API version. Ensure a valid x-ms-version header value is passed. Please update to the latest version of Azure Cosmos DB SDK.")
	}
	return nil
}
