package kms

import (
	"slices"
	"strings"
)

type createKeyInput struct {
	Description           *string
	KeyUsage              *string
	CustomerMasterKeySpec *string // the former name of KeySpec
	KeySpec               *string
	Origin                *string
	MultiRegion           *bool
	Policy                *string
	Tags                  []tag
}

// The enumerations are AWS's of 2026; most of their members are not supported here.
var (
	keySpecs = []string{
		"ECC_NIST_EDWARDS25519", "ECC_NIST_P256", "ECC_NIST_P384", "ECC_NIST_P521", "ECC_SECG_P256K1", "HMAC_224",
		"HMAC_256", "HMAC_384",
		"HMAC_512", "ML_DSA_44", "ML_DSA_65", "ML_DSA_87", "RSA_2048", "RSA_3072", "RSA_4096", "SM2", symmetric,
	}
	keyUsages = []string{encryptDecrypt, macUsage, "KEY_AGREEMENT", "SIGN_VERIFY"}
	origins   = []string{"AWS_CLOUDHSM", "AWS_KMS", "EXTERNAL", "EXTERNAL_KEY_STORE"}
)

const maxPolicy = 131072 // characters

func (in *createKeyInput) check(v *violations) {
	v.optional("policy", in.Policy, 1, maxPolicy)
	v.optional("description", in.Description, 0, 8192)
	v.enum("keyUsage", in.KeyUsage, keyUsages...)
	v.enum("customerMasterKeySpec", in.CustomerMasterKeySpec, keySpecs...)
	v.enum("keySpec", in.KeySpec, keySpecs...)
	v.enum("origin", in.Origin, origins...)
}

func (in *createKeyInput) spec() string {
	for _, s := range []*string{in.KeySpec, in.CustomerMasterKeySpec} {
		if s != nil {
			return *s
		}
	}
	return symmetric
}

// supported refuses specs and usages that the emulator does not support.
func (in *createKeyInput) supported() error {
	spec, usage := in.spec(), encryptDecrypt
	switch {
	case in.KeySpec != nil && in.CustomerMasterKeySpec != nil:
		return validationError(
			"You cannot specify KeySpec and CustomerMasterKeySpec in the same request. CustomerMasterKeySpec is deprecated.")
	case spec != symmetric && in.KeyUsage == nil:
		return validationError("You must specify a KeyUsage value for all KMS keys except for symmetric encryption keys.")
	case strings.HasPrefix(spec, "HMAC_"):
		usage = macUsage
	case spec != symmetric:
		return unsupported("KeySpec " + spec)
	}
	switch {
	case in.KeyUsage != nil && *in.KeyUsage != usage:
		return validationError("KeyUsage " + *in.KeyUsage + " is not compatible with KeySpec " + spec)
	case orZero(in.MultiRegion):
		return unsupported("MultiRegion true")
	case in.Origin != nil && *in.Origin != "AWS_KMS":
		return unsupported("Origin " + *in.Origin)
	}
	return nil
}

// unsupported is the error for requests that the emulator does not support; the message is the emulator's own.
func unsupported(what string) *Error {
	return kmsError("UnsupportedOperationException", what+" is not supported by this emulator.")
}

type keyOutput struct{ KeyMetadata *metadata }

func createKey(c *call, in *createKeyInput) (any, error) {
	if err := in.supported(); err != nil {
		return nil, err
	}
	if err := c.permitAny(); err != nil {
		return nil, err
	}
	k := c.newKey(in.spec(), customer)
	k.Description = orZero(in.Description)
	if in.Policy != nil {
		if err := checkPolicy(*in.Policy); err != nil {
			return nil, err
		}
		k.Policy = *in.Policy
	}
	if err := k.addTags(in.Tags); err != nil {
		return nil, err
	}
	return &keyOutput{c.describe(k)}, c.saveKey(k)
}

// newKey returns a new key with its first material. The key is not saved. s.mu must be held.
func (a *account) newKey(spec, manager string) *key {
	k := &key{
		ID: a.newID(), Created: a.now(), Spec: spec, Usage: encryptDecrypt, Manager: manager, State: enabled,
		Policy: a.defaultPolicy(),
	}
	if slices.Contains(macSpecs, spec) {
		k.Usage = macUsage
	}
	k.addMaterial(k.Created, "")
	return k
}
