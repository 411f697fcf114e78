package kms

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"maps"
	"slices"
	"strings"
)

// macSpecs are the key specs for HMACs.
var macSpecs = slices.Sorted(maps.Keys(macSizes))

// macAlgorithm returns the one algorithm of an HMAC spec.
func macAlgorithm(spec string) string { return "HMAC_SHA_" + strings.TrimPrefix(spec, "HMAC_") }

var hashes = map[string]func() hash.Hash{"HMAC_224": sha256.New224, "HMAC_256": sha256.New, "HMAC_384": sha512.New384,
	"HMAC_512": sha512.New}

type generateMacInput struct {
	keyInput
	Message      []byte
	MacAlgorithm *string
	DryRun       *bool
}

func (in *generateMacInput) check(v *violations) {
	v.blob("message", in.Message, maxPlaintext)
	in.keyInput.check(v)
	checkMacAlgorithm(v, in.MacAlgorithm)
}

func checkMacAlgorithm(v *violations, value *string) {
	if value == nil {
		v.Required(false, "macAlgorithm")
	}
	v.enum("macAlgorithm", value, "HMAC_SHA_384", "HMAC_SHA_256", "HMAC_SHA_224", "HMAC_SHA_512")
}

// mac computes the HMAC of a message with a key that the caller may use.
func (c *call) mac(in *generateMacInput) (*key, []byte, error) {
	k, err := c.findAny(*in.KeyId)
	if err != nil {
		return nil, nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, nil, err
	}
	if err := c.checkUsableFor(k, macUsage, c.operation); err != nil {
		return nil, nil, err
	}
	if *in.MacAlgorithm != macAlgorithm(k.Spec) {
		return nil, nil, kmsError("InvalidKeyUsageException", "Algorithm "+*in.MacAlgorithm+" is incompatible with key spec "+
			k.Spec+".")
	}
	code := hmac.New(hashes[k.Spec], k.Materials[k.current()].Secret)
	code.Write(in.Message)
	return k, code.Sum(nil), checkDryRun(in.DryRun)
}

func generateMac(c *call, in *generateMacInput) (any, error) {
	k, code, err := c.mac(in)
	if err != nil {
		return nil, err
	}
	return struct {
		KeyId        string
		Mac          []byte
		MacAlgorithm string
	}{c.arn("key/" + k.ID), code, *in.MacAlgorithm}, nil
}

type verifyMacInput struct {
	generateMacInput
	Mac []byte
}

func (in *verifyMacInput) check(v *violations) {
	in.generateMacInput.check(v)
	v.blob("mac", in.Mac, maxCiphertext)
}

func verifyMac(c *call, in *verifyMacInput) (any, error) {
	k, code, err := c.mac(&in.generateMacInput)
	if err != nil {
		return nil, err
	}
	if !hmac.Equal(code, in.Mac) {
		return nil, kmsError("KMSInvalidMacException", "")
	}
	return struct {
		KeyId        string
		MacAlgorithm string
		MacValid     bool
	}{c.arn("key/" + k.ID), *in.MacAlgorithm, true}, nil
}
