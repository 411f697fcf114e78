package httpapi

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
)

// Users call a service with bearer tokens from its own issuer.
type Users struct {
	*Service
	Issuer *auth.Issuer // set when the service starts
}

// Credential returns a token about a user, valid for an hour of the scenario's time.
func (u *Users) Credential(user string) (Credential, error) {
	token, err := u.Issuer.Token(user, time.Hour)
	return Bearer(token), err
}

// SendAs is like SendStep, as a user.
func (u *Users) SendAs(ctx context.Context, user, method, path string, body any) error {
	as, err := u.Credential(user)
	if err == nil {
		u.SendStep(ctx, as, method, path, body)
	}
	return err
}

// MustSendAs is like SendAs, but returns an error unless the request succeeds.
func (u *Users) MustSendAs(ctx context.Context, user, method, path string, body any) error {
	if err := u.SendAs(ctx, user, method, path, body); err != nil {
		return err
	}
	return u.Last.Succeeded()
}
