package auth

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
)

// Sign returns the Authorization header of a call through the compute gateway, signed with a master key at the date in
// the header x-ms-date ("Access control in the Azure Cosmos DB REST API").
func Sign(c *operation.Call, key []byte, date string) string {
	payload := strings.ToLower(c.Method) + "\n" + string(SignedKind(c)) + "\n" + SignedLinks(c)[0] + "\n" +
		strings.ToLower(date) + "\n\n"
	return url.QueryEscape("type=master&ver=1.0&sig=" + base64.StdEncoding.EncodeToString(masterkey.Sign(key, payload)))
}
