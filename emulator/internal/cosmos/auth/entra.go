package auth

import (
	"crypto/hmac"
	"encoding/base64"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// checkEntraToken checks a Microsoft Entra ID token. The emulator has no directory. Like Microsoft's emulator, it
// accepts only a JSON web token whose signature is the master key ("Use the emulator with Microsoft Entra ID").
func checkEntraToken(c *operation.Call, token string) *wire.Error {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return wire.Unauthorized("The token of Microsoft Entra ID is not a JSON web token of three parts.")
	}
	got, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[2], "="))
	if err != nil {
		return wire.Unauthorized("The token of Microsoft Entra ID has a signature that is not base64.")
	}
	c.Caller = "Microsoft Entra ID"
	for _, key := range c.Account.Keys {
		if hmac.Equal(got, key) || hmac.Equal(got, []byte(base64.StdEncoding.EncodeToString(key))) {
			return nil
		}
	}
	return wire.Unauthorized("The token of Microsoft Entra ID is not signed by this account's key.")
}
