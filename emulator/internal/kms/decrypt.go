package kms

// maxCiphertext is the size in bytes of the largest ciphertext that is accepted.
const maxCiphertext = 6144

type decryptInput struct {
	KeyId               *string
	CiphertextBlob      []byte
	EncryptionContext   map[string]string
	EncryptionAlgorithm *string
	DryRun              *bool
}

func (in *decryptInput) check(v *violations) {
	v.blob("ciphertextBlob", in.CiphertextBlob, maxCiphertext)
	v.optional("keyId", in.KeyId, 1, 2048)
	checkAlgorithm(v, "encryptionAlgorithm", in.EncryptionAlgorithm)
}

type decryptOutput struct {
	EncryptionAlgorithm string
	KeyId               string
	KeyMaterialId       string
	Plaintext           []byte
}

func decrypt(c *call, in *decryptInput) (any, error) {
	if err := checkSymmetric(in.EncryptionAlgorithm); err != nil {
		return nil, err
	}
	o, err := c.decrypt(in.CiphertextBlob, in.KeyId, c.operation, in.EncryptionContext, in.DryRun)
	if err != nil {
		return nil, err
	}
	return &decryptOutput{symmetric, c.arn("key/" + o.key.ID), o.key.materialID(o.version), o.plaintext}, nil
}

// decrypted is a decrypted ciphertext.
type decrypted struct {
	key       *key
	version   int // of its material
	plaintext []byte
}

// decrypt decrypts with the key that the ciphertext names; if the request names a key too, it must be the same.
func (c *call) decrypt(blob []byte, ref *string, action string, context map[string]string,
	dry *bool) (*decrypted, error) {
	var want *key
	if ref != nil {
		var err error
		if want, err = c.findAny(*ref); err != nil {
			return nil, err
		}
	}
	k, version, open, err := c.decryptBlob(blob, context)
	if want != nil && (want.Usage != encryptDecrypt || err == nil && k != want) {
		return nil, kmsError("IncorrectKeyException",
			"The key ID in the request does not identify a CMK that can perform this operation.")
	}
	if err != nil {
		return nil, err
	}
	if err := c.permitCrypto(k, action, context); err != nil {
		return nil, err
	}
	if err := c.checkUsableFor(k, encryptDecrypt, action); err != nil {
		return nil, err
	}
	plaintext, err := open()
	if err != nil {
		return nil, err
	}
	return &decrypted{k, version, plaintext}, checkDryRun(dry)
}
