package access

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/features/httpapi"
)

// CreateResource sends a request that creates something owned by the user. The path may contain {values}. The
// response's member named id becomes a private value of that name; with an empty id, none does.
func (p *TestUser) CreateResource(ctx context.Context, service *httpapi.Service, as httpapi.Credential,
	method, path string,
	body any, id string) error {
	for name, value := range p.Values {
		path = strings.ReplaceAll(path, "{"+name+"}", fmt.Sprint(value))
	}
	made, err := httpapi.Decode[map[string]any](service.Send(ctx, as, method, path, body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if id == "" {
		return nil
	}
	value, found := made[id].(string)
	if !found {
		return fmt.Errorf("%s %s: the response has no %s", method, path, id)
	}
	p.AddPrivateValue(id, value)
	return nil
}

// AddPrivateValue sets a value for requests about the user's things, which no one else may see.
func (p *TestUser) AddPrivateValue(name, value string) {
	p.Values[name] = value
	p.Private = append(p.Private, value)
}

// AddUserCredential adds the user's token. If no operation is named it also adds bad tokens about the user; a named
// operation is called with good credentials only.
func (p *TestUser) AddUserCredential(issuer *auth.Issuer, now func() time.Time, subject, operation string,
	as httpapi.Credential) error {
	p.Credentials[User] = as
	if operation != "" {
		return nil
	}
	return p.AddBadTokens(issuer, now, subject)
}

// AddBadTokens adds bad tokens about a subject to the user's credentials.
func (p *TestUser) AddBadTokens(issuer *auth.Issuer, now func() time.Time, subject string, roles ...string) error {
	bad, err := badTokens(issuer, now, subject, roles...)
	maps.Copy(p.Credentials, bad)
	return err
}
