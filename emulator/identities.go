package emulator

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// WithIdentities names a YAML file of users, access keys, roles and policies. Each request's signature is then
// verified, the policies must allow it, and it sees only the tables of its account. By default any credentials are
// accepted, for anything. Start fails if the file is wrong, with a one-line error that states the place.
func WithIdentities(file string) Option {
	return func(o *options) {
		o.identities = func() (*identities.Directory, error) { return identities.Load(file) }
	}
}

// WithIdentitiesFrom is WithIdentities for a description that is not in a file.
func WithIdentitiesFrom(r io.Reader) Option {
	return func(o *options) {
		o.identities = func() (*identities.Directory, error) {
			description, err := io.ReadAll(r)
			if err != nil {
				return nil, fmt.Errorf("the identities cannot be read: %w", err)
			}
			return identities.Parse("identities", description)
		}
	}
}

// openIdentities opens the identity service.
func (e *Emulator) openIdentities(o options) error {
	var file *identities.Directory
	var err error
	if o.identities != nil {
		if file, err = o.identities(); err != nil {
			return err
		}
	}
	e.identity, err = identity.New(identity.Config{Store: e.store, Clock: e.clock, Logger: o.logger, File: file,
		AccountID: o.accountID})
	return err
}

// AWSConfigFor is AWSConfig with the first access key of a user of the identities. The user is a name, or an account
// and a name, such as 123456789012/ana. If the user does not exist or has no key, requests fail before they are sent.
func (e *Emulator) AWSConfigFor(user string) aws.Config {
	c := e.AWSConfig()
	c.Credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		account, name, ok := strings.Cut(user, "/")
		if !ok {
			account, name = e.identity.Account(), user
		}
		id, secret, ok := e.identity.Key(account, name)
		if !ok {
			return aws.Credentials{}, fmt.Errorf("user %s has no access key in account %s: describe one in the identities", name,
				account)
		}
		return aws.Credentials{AccessKeyID: id, SecretAccessKey: secret, Source: "tabletop identities"}, nil
	})
	if region := e.identity.Region(); region != "" {
		c.Region = region
	}
	return c
}
