package httpapi

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/backend/auth"
)

// Users call a service by bearer tokens of its own issuer.
type Users struct {
	*Service
	Issuer *auth.Issuer // known once the service has begun
}

// As shows a token about somebody, good for an hour of the scenario's time.
func (u *Users) As(user string) (Credential, error) {
	token, err := u.Issuer.Token(user, time.Hour)
	return Bearer(token), err
}

// Do is Act as a user.
func (u *Users) Do(ctx context.Context, user, method, path string, body any) error {
	as, err := u.As(user)
	if err == nil {
		u.Act(ctx, as, method, path, body)
	}
	return err
}

// Done is Do that has to succeed.
func (u *Users) Done(ctx context.Context, user, method, path string, body any) error {
	if err := u.Do(ctx, user, method, path, body); err != nil {
		return err
	}
	return u.Last.OK()
}
