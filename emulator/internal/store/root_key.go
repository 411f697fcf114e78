package store

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tabletop-db/tabletop/internal/util/wholefile"
)

// An encrypted folder has a key of its own, the folder key, which is in its marker, wrapped by the root key. The root
// key is a file: in the folder, or wherever the user keeps it.
const (
	rootKeyName = "root.key"
	rootKeyTemp = rootKeyName + wholefile.NewSuffix // and more; left behind by a crash during the first opening
	keySize     = 32                                // AES-256
)

// keyEncoding is the encoding of keys in text files.
var keyEncoding = base64.StdEncoding

// rootKeyPath returns the path of the folder's root key.
func rootKeyPath(dir, given string) string {
	if given != "" {
		return given
	}
	return filepath.Join(dir, rootKeyName)
}

// readRootKey reads a root key file: 32 bytes in base64, on one line.
func readRootKey(dir, path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &OpenError{dir, "is encrypted, and its root key is not at " + path,
			"restore the file, or set --root-key to its path; without it the data is lost", nil}
	}
	if err != nil {
		return nil, &OpenError{dir, "is encrypted, and its root key cannot be read",
			"give this user read permission for that file", err}
	}
	key, err := keyEncoding.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != keySize {
		return nil, &OpenError{dir, fmt.Sprintf("has a root key file, %s, that is not a %d-byte key in base64",
			path, keySize),
			"restore that file from a copy, or set --root-key to the correct file", nil}
	}
	return key, nil
}

// makeRootKey reads the root key of a folder that has no data yet. If there is none, it creates one that only the
// current user can read.
func makeRootKey(dir, path string) ([]byte, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = wholefile.Create(path, keyEncoding.EncodeToString(newKey())+"\n")
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, &OpenError{dir, "needs a root key, which cannot be read or made at " + path,
			"set --root-key to another path", err}
	}
	_ = wholefile.SyncDir(filepath.Dir(path)) // another emulator may have made it just now; a folder may not allow it
	return readRootKey(dir, path)
}

// newKey returns a random key. It does not come from the emulator's seed, which is not secret.
func newKey() []byte {
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	return key
}

// folderKeyPurpose is the additional data that binds a wrapped folder key to its purpose.
var folderKeyPurpose = []byte("tabletop folder key")

// wrapFolderKey encrypts the folder key with the root key.
func wrapFolderKey(root, key []byte) (string, error) {
	aead, err := rootAEAD(root)
	if err != nil {
		return "", err
	}
	return keyEncoding.EncodeToString(aead.Seal(nil, nil, key, folderKeyPurpose)), nil
}

// unwrapFolderKey decrypts what wrapFolderKey returned. It fails for any other root key.
func unwrapFolderKey(root []byte, wrapped string) ([]byte, error) {
	sealed, err := keyEncoding.DecodeString(wrapped)
	if err != nil {
		return nil, err
	}
	aead, err := rootAEAD(root)
	if err != nil {
		return nil, err
	}
	return aead.Open(nil, nil, sealed, folderKeyPurpose)
}

func rootAEAD(root []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(root)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
