package dynamo

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// authorize checks the form of the request's credentials: step 4 of the order of checks. It accepts every signature.
func authorize(r *http.Request) (accounts.Scope, error) {
	header := awsapi.Header(r.Header, "Authorization")
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
	p := authParametersOf(header)
	date := awsapi.Header(r.Header, "X-Amz-Date") != "" || awsapi.Header(r.Header, "Date") != ""
	if p.credential == "" || p.signature == "" || p.signedHeaders == "" || !date {
		return accounts.Scope{}, incompleteSignature(header, p, date)
	}
	return accounts.ScopeOf(p.credential), nil
}

// incompleteSignature returns the error for a header without one of its parameters, or for a request without a date.
func incompleteSignature(header string, p authParameters, date bool) *wire.Error {
	var message string
	for _, parameter := range []struct{ name, value string }{
		{"Credential", p.credential}, {"Signature", p.signature}, {"SignedHeaders", p.signedHeaders},
	} {
		if parameter.value == "" {
			message += "Authorization header requires '" + parameter.name + "' parameter. "
		}
	}
	if !date {
		message += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
	}
	return wire.ServiceError("IncompleteSignatureException", message+"Authorization="+header)
}

// authParameters are the parameters of an Authorization header; empty if they are missing.
type authParameters struct{ credential, signature, signedHeaders string }

// authParametersOf reads the parameters, which spaces or commas separate. The first one of a name that is not empty
// counts.
func authParametersOf(header string) (p authParameters) {
	for rest := header; rest != ""; {
		var fields string
		fields, rest, _ = strings.Cut(rest, " ")
		for fields != "" {
			var field string
			field, fields, _ = strings.Cut(fields, ",")
			p.read(field)
		}
	}
	return p
}

// read reads one parameter.
func (p *authParameters) read(field string) {
	name, value, _ := strings.Cut(field, "=")
	switch {
	case name == "Credential" && p.credential == "":
		p.credential = value
	case name == "Signature" && p.signature == "":
		p.signature = value
	case name == "SignedHeaders" && p.signedHeaders == "":
		p.signedHeaders = value
	}
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
