package dynamo

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// authorize checks the form of the request's credentials: step 4 of the order of checks. It accepts every signature.
func authorize(r *http.Request) (accounts.Scope, error) {
	header := r.Header.Get("Authorization")
	if header == "" && r.URL.RawQuery == "" {
		return accounts.Scope{}, missingToken()
	}
	presigned := r.URL.RawQuery != "" && r.URL.Query().Has("X-Amz-Algorithm")
	switch {
	case header != "" && presigned:
		return accounts.Scope{}, wire.ServiceError("InvalidSignatureException",
			"Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.")
	case presigned:
		return presignedScope(r)
	case !strings.HasPrefix(header, "AWS4-"):
		return accounts.Scope{}, missingToken()
	}
	return headerScope(r, header)
}

func missingToken() *wire.Error {
	return wire.ServiceError("MissingAuthenticationTokenException", "Request is missing Authentication Token")
}

func headerScope(r *http.Request, header string) (accounts.Scope, error) {
	var message string
	for _, parameter := range []string{"Credential", "Signature", "SignedHeaders"} {
		if _, ok := authParameter(header, parameter); !ok {
			message += "Authorization header requires '" + parameter + "' parameter. "
		}
	}
	if r.Header.Get("X-Amz-Date") == "" && r.Header.Get("Date") == "" {
		message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	if message != "" {
		return accounts.Scope{}, wire.ServiceError("IncompleteSignatureException", message+"Authorization="+header)
	}
	credential, _ := authParameter(header, "Credential")
	return accounts.ScopeOf(credential), nil
}

// authParameter returns a parameter of an Authorization header, such as Credential.
func authParameter(header, name string) (string, bool) {
	for rest := header; rest != ""; {
		var part string
		part, rest, _ = strings.Cut(rest, " ")
		for part != "" {
			var field string
			field, part, _ = strings.Cut(part, ",")
			if value, ok := strings.CutPrefix(field, name+"="); ok && value != "" {
				return value, true
			}
		}
	}
	return "", false
}

func presignedScope(r *http.Request) (accounts.Scope, error) {
	query := r.URL.Query()
	var message string
	for _, parameter := range []string{"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders",
		"X-Amz-Date"} {
		if query.Get(parameter) == "" {
			message += "AWS query-string parameters must include '" + parameter + "'. "
		}
	}
	if message != "" {
		return accounts.Scope{}, wire.ServiceError("IncompleteSignatureException",
			message+"Re-examine the query-string parameters.")
	}
	return accounts.ScopeOf(query.Get("X-Amz-Credential")), nil
}
