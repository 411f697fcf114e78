package kms

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// A ciphertext is a version, the key's id, the number of its material, and the output of AES-256-GCM: nonce, text and
// tag. The preceding bytes and the encryption context are authenticated with it.
const (
	blobVersion = 1
	blobHeader  = 1 + 16 + 4
)

// seal encrypts with the key's current material.
func (k *key) seal(plaintext []byte, context map[string]string) ([]byte, error) {
	id, err := hex.DecodeString(strings.ReplaceAll(k.ID, "-", ""))
	if err != nil {
		return nil, err
	}
	header := append([]byte{blobVersion}, id...)
	header = binary.BigEndian.AppendUint32(header, uint32(k.current()))
	aead, err := gcm(k.Materials[k.current()].Secret)
	if err != nil {
		return nil, err
	}
	return aead.Seal(header, nil, plaintext, appendContext(header[:len(header):len(header)], context)), nil
}

// decryptBlob returns the key that a ciphertext names, and a function that decrypts it.
func (a *account) decryptBlob(blob []byte, context map[string]string) (k *key, version int,
	open func() ([]byte, error), err error) {
	if len(blob) < blobHeader || blob[0] != blobVersion {
		return nil, 0, nil, invalidCiphertext()
	}
	id := hex.EncodeToString(blob[1:17])
	k, ok := a.keys[id[:8]+"-"+id[8:12]+"-"+id[12:16]+"-"+id[16:20]+"-"+id[20:]]
	if !ok {
		return nil, 0, nil, kmsError("AccessDeniedException",
			"The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.")
	}
	number := binary.BigEndian.Uint32(blob[17:])
	if uint64(number) >= uint64(len(k.Materials)) {
		return nil, 0, nil, invalidCiphertext()
	}
	return k, int(number), func() ([]byte, error) {
		aead, err := gcm(k.Materials[number].Secret)
		if err != nil {
			return nil, err
		}
		plaintext, err := aead.Open(nil, nil, blob[blobHeader:], appendContext(slices.Clone(blob[:blobHeader]), context))
		if err != nil {
			return nil, invalidCiphertext()
		}
		return plaintext, nil
	}, nil
}

func gcm(secret []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// appendContext appends an encryption context in an unambiguous encoding that does not depend on the order of its
// pairs.
func appendContext(dst []byte, context map[string]string) []byte {
	for _, name := range slices.Sorted(maps.Keys(context)) {
		for _, text := range []string{name, context[name]} {
			dst = binary.AppendUvarint(dst, uint64(len(text)))
			dst = append(dst, text...)
		}
	}
	return dst
}
