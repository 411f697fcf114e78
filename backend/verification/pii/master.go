package pii

import (
	"bytes"
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms"
	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// KMS returns a master key in KMS; key is an id, an ARN or an alias such as alias/verification-pii.
func KMS(ctx context.Context, client *kms.Client, key string) (tink.AEADWithContext, error) {
	return awskms.NewAEADWithContext(ctx, key, awskms.WithKMS(client))
}

// Local returns a master key from the configuration, for targets without KMS: a Tink keyset in JSON, in the clear, as
// NewLocal returns. Anyone who has it and a copy of the table can read everything.
func Local(keysetJSON []byte) (tink.AEADWithContext, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(keysetJSON)))
	if err != nil {
		return nil, fmt.Errorf("cannot read the local keyset: it must be a Tink keyset for AEAD in JSON: %w", err)
	}
	primitive, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("the local keyset has another type: it must be a Tink keyset for AEAD in JSON: %w", err)
	}
	return local{primitive}, nil
}

// NewLocal returns a new keyset for Local.
func NewLocal() ([]byte, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&out))
	return out.Bytes(), err
}

// local is an AEAD that needs no context.
type local struct{ tink.AEAD }

// EncryptWithContext encrypts plaintext, bound to associatedData.
func (l local) EncryptWithContext(_ context.Context, plaintext, associatedData []byte) ([]byte, error) {
	return l.Encrypt(plaintext, associatedData)
}

// DecryptWithContext decrypts a ciphertext of EncryptWithContext with the same associatedData.
func (l local) DecryptWithContext(_ context.Context, ciphertext, associatedData []byte) ([]byte, error) {
	return l.Decrypt(ciphertext, associatedData)
}
