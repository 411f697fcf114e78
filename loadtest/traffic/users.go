package traffic

import (
	"context"
	"fmt"
	"net/http"
)

// users are the users of a backend that authenticates them with bearer tokens, as many as the population has.
type users struct {
	baseSubject
	*picker
	config Setup
	api    *api
	tokens []http.Header
}

func newUsers(c Setup) *users {
	return &users{picker: newPicker(c.Seed), config: c, api: newAPI(c), tokens: make([]http.Header,
		c.Profile.Population["users"])}
}

// signIn gets a token for every user.
func (p *users) signIn(ctx context.Context, step func()) error {
	return forEach(ctx, len(p.tokens), step, func(ctx context.Context, i int) (err error) {
		p.tokens[i], err = p.api.token(ctx, subjectOf(p.config.Seed, i))
		return err
	})
}

// subjectOf returns the name of a user, in the format of Cognito identities.
func subjectOf(seed uint64, user int) string {
	return fmt.Sprintf("us-east-1:%08x-86c4-4b1d-9a55-%012x", uint32(seed), user+1)
}

// request returns a call as one of the users.
func (p *users) request(c call, user int) draft {
	return func(context.Context) (request, error) { return p.encode(c, user) }
}

func (p *users) encode(c call, user int) (request, error) {
	r, err := c.encoded(p.config.BaseURL)
	if err != nil {
		return request{}, err
	}
	for name, values := range p.tokens[user] {
		r.header[name] = values
	}
	return r, nil
}

func (p *users) Close(context.Context) error {
	p.api.close()
	return nil
}
