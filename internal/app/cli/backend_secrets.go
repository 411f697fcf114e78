package cli

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"os"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// tlsConfig returns the TLS configuration, or nil if no certificate is given.
func (f *backendFlags) tlsConfig() (*tls.Config, error) {
	if f.tlsCert == "" {
		return nil, nil
	}
	cfg, err := backend.ServerTLS(f.tlsCert, f.tlsKey)
	if err != nil {
		return nil, command.Usagef("--tls-cert: %v", err)
	}
	return cfg, nil
}

// piiKeyset reads the keyset, and creates one that only its owner can read if there is none. It returns nil if KMS
// holds the keys.
func (f *backendFlags) piiKeyset() ([]byte, error) {
	if f.keysetText != nil {
		return f.keysetText, nil
	}
	if f.keyset == "" {
		return nil, nil
	}
	text, err := os.ReadFile(f.keyset)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = pii.NewLocal(); err == nil {
			err = os.WriteFile(f.keyset, text, 0o600)
		}
	}
	if err != nil {
		return nil, command.Usagef("--pii-keyset: %v: use a file that can be read or created", err)
	}
	return text, nil
}
