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

// As returns a token about a user, valid for an hour of the scenario's time.
func (u *Users) As(user string) (Credential, error) {
	token, err := u.Issuer.Token(user, time.Hour)
	return Bearer(token), err
}

// Do is like Act, as a user.
func (u *Users) Do(ctx context.Context, user, method, path string, body any) error {
	as, err := u.As(user)
	if err == nil {
		u.Act(ctx, as, method, path, body)
	}
	return err
}

// Done is like Do, but returns an error unless the request succeeds.
func (u *Users) Done(ctx context.Context, user, method, path string, body any) error {
	if err := u.Do(ctx, user, method, path, body); err != nil {
		return err
	}
	return u.Last.OK()
}
