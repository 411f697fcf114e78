package kms

// maxPlaintext is the size in bytes of the largest plaintext.
const maxPlaintext = 4096

type encryptInput struct {
	keyInput
	Plaintext           []byte
	EncryptionContext   map[string]string
	EncryptionAlgorithm *string
	DryRun              *bool
}

func (in *encryptInput) check(v *violations) {
	in.keyInput.check(v)
	v.blob("plaintext", in.Plaintext, maxPlaintext)
	checkAlgorithm(v, "encryptionAlgorithm", in.EncryptionAlgorithm)
}

func checkAlgorithm(v *violations, member string, value *string) {
	v.enum(member, value, "RSAES_OAEP_SHA_1", "RSAES_OAEP_SHA_256", "SM2PKE", symmetric)
}

// checkSymmetric refuses the algorithms of other key specs.
func checkSymmetric(algorithm *string) error {
	if algorithm != nil && *algorithm != symmetric {
		return kmsError("InvalidKeyUsageException", "Algorithm "+*algorithm+" is incompatible with key spec "+symmetric+".")
	}
	return nil
}

type encryptOutput struct {
	CiphertextBlob      []byte
	EncryptionAlgorithm string
	KeyId               string
}

func encrypt(c *call, in *encryptInput) (any, error) {
	k, err := c.encryptionKey(in.KeyId, c.operation, in.EncryptionContext)
	if err != nil {
		return nil, err
	}
	if err := checkSymmetric(in.EncryptionAlgorithm); err != nil {
		return nil, err
	}
	if err := checkDryRun(in.DryRun); err != nil {
		return nil, err
	}
	blob, err := k.seal(in.Plaintext, in.EncryptionContext)
	return &encryptOutput{blob, symmetric, c.arn("key/" + k.ID)}, err
}

// encryptionKey returns a key that the caller may encrypt with.
func (c *call) encryptionKey(ref *string, action string, context map[string]string) (*key, error) {
	k, err := c.findAny(*ref)
	if err != nil {
		return nil, err
	}
	if err := c.permitCrypto(k, action, context); err != nil {
		return nil, err
	}
	return k, c.checkUsableFor(k, encryptDecrypt, action)
}
