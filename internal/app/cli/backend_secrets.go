package cli

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"os"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
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
		text, err = createKeyset(f.keyset)
	}
	if err != nil {
		return nil, command.Usagef("--pii-keyset: %v: use a file that can be read or created", err)
	}
	return text, nil
}

// createKeyset creates a file with new keys, or reads the one that another backend has created meanwhile: what either
// encrypts must remain readable.
func createKeyset(name string) ([]byte, error) {
	text, err := pii.NewLocal()
	if err != nil {
		return nil, err
	}
	if err = wholefile.Create(name, string(text)); errors.Is(err, fs.ErrExist) {
		return os.ReadFile(name)
	}
	return text, err
}
