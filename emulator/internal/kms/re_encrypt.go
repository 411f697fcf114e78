package kms

type reEncryptInput struct {
	CiphertextBlob                                            []byte
	SourceEncryptionContext, DestinationEncryptionContext     map[string]string
	SourceKeyId, DestinationKeyId                             *string
	SourceEncryptionAlgorithm, DestinationEncryptionAlgorithm *string
	DryRun                                                    *bool
}

func (in *reEncryptInput) check(v *violations) {
	v.blob("ciphertextBlob", in.CiphertextBlob, maxCiphertext)
	v.optional("sourceKeyId", in.SourceKeyId, 1, 2048)
	v.id("destinationKeyId", in.DestinationKeyId)
	checkAlgorithm(v, "sourceEncryptionAlgorithm", in.SourceEncryptionAlgorithm)
	checkAlgorithm(v, "destinationEncryptionAlgorithm", in.DestinationEncryptionAlgorithm)
}

type reEncryptOutput struct {
	CiphertextBlob                 []byte
	DestinationEncryptionAlgorithm string
	DestinationKeyMaterialId       string
	KeyId                          string
	SourceEncryptionAlgorithm      string
	SourceKeyId                    string
	SourceKeyMaterialId            string
}

func reEncrypt(c *call, in *reEncryptInput) (any, error) {
	for _, algorithm := range []*string{in.SourceEncryptionAlgorithm, in.DestinationEncryptionAlgorithm} {
		if err := checkSymmetric(algorithm); err != nil {
			return nil, err
		}
	}
	to, err := c.encryptionKey(in.DestinationKeyId, "ReEncryptTo", in.DestinationEncryptionContext)
	if err != nil {
		return nil, err
	}
	from, err := c.decrypt(in.CiphertextBlob, in.SourceKeyId, "ReEncryptFrom", in.SourceEncryptionContext, in.DryRun)
	if err != nil {
		return nil, err
	}
	blob, err := to.seal(from.plaintext, in.DestinationEncryptionContext)
	return &reEncryptOutput{
		blob, symmetric, to.materialID(to.current()), c.arn("key/" + to.ID), symmetric, c.arn("key/" + from.key.ID),
		from.key.materialID(from.version),
	}, err
}
