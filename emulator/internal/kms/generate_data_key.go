package kms

import "crypto/rand"

type generateDataKeyInput struct {
	keyInput
	EncryptionContext map[string]string
	NumberOfBytes     *int
	KeySpec           *string
	DryRun            *bool
}

func (in *generateDataKeyInput) check(v *violations) {
	in.keyInput.check(v)
	v.between("numberOfBytes", in.NumberOfBytes, 1, 1024)
	v.enum("keySpec", in.KeySpec, "AES_256", "AES_128")
}

// size returns the size of the data key in bytes.
func (in *generateDataKeyInput) size() (int, error) {
	switch {
	case (in.KeySpec == nil) == (in.NumberOfBytes == nil):
		return 0, validationError("Please specify either number of bytes or key spec.")
	case in.NumberOfBytes != nil:
		return *in.NumberOfBytes, nil
	case *in.KeySpec == "AES_128":
		return 16, nil
	}
	return 32, nil
}

type dataKeyOutput struct {
	CiphertextBlob []byte
	KeyId          string
	KeyMaterialId  string
	Plaintext      []byte `json:",omitempty"`
}

func generateDataKey(c *call, in *generateDataKeyInput) (any, error) {
	size, err := in.size()
	if err != nil {
		return nil, err
	}
	k, err := c.encryptionKey(in.KeyId, c.operation, in.EncryptionContext)
	if err != nil {
		return nil, err
	}
	if err := checkDryRun(in.DryRun); err != nil {
		return nil, err
	}
	return c.dataKey(k, size, in.EncryptionContext)
}

// dataKey creates a data key, in plaintext and encrypted.
func (a *account) dataKey(k *key, size int, context map[string]string) (*dataKeyOutput, error) {
	plain := make([]byte, size)
	rand.Read(plain) // never fails
	blob, err := k.seal(plain, context)
	return &dataKeyOutput{blob, a.arn("key/" + k.ID), k.materialID(k.current()), plain}, err
}

func generateDataKeyWithoutPlaintext(c *call, in *generateDataKeyInput) (any, error) {
	out, err := generateDataKey(c, in)
	if answer, ok := out.(*dataKeyOutput); ok {
		answer.Plaintext = nil
	}
	return out, err
}

type generateRandomInput struct{ NumberOfBytes *int }

func (in *generateRandomInput) check(v *violations) {
	v.between("numberOfBytes", in.NumberOfBytes, 1, 1024)
}

func generateRandom(c *call, in *generateRandomInput) (any, error) {
	if in.NumberOfBytes == nil {
		return nil, validationError("NumberOfBytes is required.")
	}
	if err := c.permitAny(); err != nil {
		return nil, err
	}
	bytes := make([]byte, *in.NumberOfBytes)
	rand.Read(bytes) // never fails
	return struct{ Plaintext []byte }{bytes}, nil
}
