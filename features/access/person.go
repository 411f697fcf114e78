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

// Have sends a request that makes something of the person's. The path may name {values}. The member of the answer that
// is called id becomes a value of that name, and private; empty: none does.
func (p *Person) Have(ctx context.Context, service *httpapi.Service, as httpapi.Credential, method, path string, body any, id string) error {
	for name, value := range p.Values {
		path = strings.ReplaceAll(path, "{"+name+"}", fmt.Sprint(value))
	}
	made, err := httpapi.Read[map[string]any](service.Send(ctx, as, method, path, body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if id == "" {
		return nil
	}
	value, found := made[id].(string)
	if !found {
		return fmt.Errorf("%s %s: the answer has no %s", method, path, id)
	}
	p.Keep(id, value)
	return nil
}

// Keep gives requests about the person's things a value, and nobody else may be told it.
func (p *Person) Keep(name, value string) {
	p.Values[name] = value
	p.Private = append(p.Private, value)
}

// ShowUser adds the user's token, and bad ones about the user where they are needed: an operation that is named is
// asked for with good credentials alone.
func (p *Person) ShowUser(issuer *auth.Issuer, now func() time.Time, subject, operation string, as httpapi.Credential) error {
	p.Shows[User] = as
	if operation != "" {
		return nil
	}
	return p.ShowBadTokens(issuer, now, subject)
}

// ShowBadTokens adds bad tokens about somebody to what the person shows.
func (p *Person) ShowBadTokens(issuer *auth.Issuer, now func() time.Time, subject string, roles ...string) error {
	bad, err := badTokens(issuer, now, subject, roles...)
	maps.Copy(p.Shows, bad)
	return err
}
