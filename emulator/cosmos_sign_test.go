package emulator_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/masterkey"
)

// signCosmos signs a request for a resource of that kind with the primary key of Cosmos DB, as of now.
func signCosmos(r *http.Request, kind, link string) {
	date := strings.ToLower(time.Now().UTC().Format(http.TimeFormat))
	key, _ := masterkey.Parse(emulator.CosmosKey) // the constant is base64
	signature := masterkey.Sign(key, fmt.Sprintf("%s\n%s\n%s\n%s\n\n", strings.ToLower(r.Method), kind, link, date))
	r.Header.Set("Authorization", url.QueryEscape("type=master&ver=1.0&sig="+
		base64.StdEncoding.EncodeToString(signature)))
	r.Header.Set("X-Ms-Date", date)
	r.Header.Set("X-Ms-Version", "2018-12-31")
}
