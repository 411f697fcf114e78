// Package cosmoserror writes errors of Cosmos DB for people.
package cosmoserror

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

// Line returns an error response in one line: its status, code and message. The SDK's own text is the whole response.
func Line(response *azcore.ResponseError) string {
	var body struct{ Code, Message string }
	if response.RawResponse != nil {
		if text, err := runtime.Payload(response.RawResponse); err == nil {
			_ = json.Unmarshal(text, &body) // a body that is not JSON contributes nothing
		}
	}
	return fmt.Sprintf("%d %s: %s", response.StatusCode,
		cmp.Or(body.Code, http.StatusText(response.StatusCode)), strings.Join(strings.Fields(body.Message), " "))
}
