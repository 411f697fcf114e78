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
)

// An encrypted folder has a key of its own, the folder key, which is in its marker, wrapped by the root key. The root
// key is a file: in the folder, or wherever the user keeps it.
const (
	rootKeyName = "root.key"
	rootKeyTemp = "root.key.new" // and more; left behind by a crash during the first opening
	keySize     = 32             // AES-256
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
		err = createKeyFile(path, keyEncoding.EncodeToString(newKey())+"\n")
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, &OpenError{dir, "needs a root key, which cannot be read or made at " + path,
			"set --root-key to another path", err}
	}
	_ = syncDir(filepath.Dir(path)) // another emulator may have made it just now; a folder may not allow it
	return readRootKey(dir, path)
}

// createKeyFile creates a file that only the current user can read, on the machine's file system. The file appears with
// its whole text. An existing one is never replaced, because another emulator may have encrypted data with it: the
// error is fs.ErrExist then.
func createKeyFile(path, text string) error { return createKeyBy(os.Link, path, text) }

// createKeyBy is createKeyFile with a function that makes links.
func createKeyBy(link func(oldname, newname string) error, path, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(path), rootKeyTemp+"*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := writeKey(temp, text); err != nil {
		return err
	}
	err = link(temp.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // a file system without links, such as FAT
		err = createInPlace(path, text)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// createInPlace is createKeyFile without a link: a crash may leave a part of the text, before anything depends on it.
func createInPlace(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := writeKey(f, text); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// writeKey writes the text of a new file to stable storage, and closes it.
func writeKey(f *os.File, text string) error {
	_, err := f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
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
