package store

import (
	"bytes"
	"testing"
)

func TestAFolderKeyIsUnwrappedByItsRootKeyOnly(t *testing.T) {
	t.Parallel()
	root, key := newKey(), newKey()
	wrapped, err := wrapFolderKey(root, key)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := unwrapFolderKey(root, wrapped); err != nil || !bytes.Equal(back, key) {
		t.Errorf("%x, %v", back, err)
	}
	if _, err := unwrapFolderKey(newKey(), wrapped); err == nil {
		t.Error("another root key unwraps it")
	}
}

// FuzzMarker parses any text as a marker, and any wrapped key.
func FuzzMarker(f *testing.F) {
	root := make([]byte, keySize)
	wrapped, err := wrapFolderKey(root, root)
	if err != nil {
		f.Fatal(err)
	}
	m, err := encryptedMarker(root)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(m.text()))
	f.Add("tabletop-store 1\n")
	f.Add("tabletop-store 2\n" + wrapped + "\n")
	f.Add("tabletop-store 2\n")
	f.Add("tabletop-store 99999999999999999999\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseMarker("dir", []byte(text))
		if err != nil {
			return
		}
		if key, err := unwrapFolderKey(root, got.wrapped); err == nil && len(key) != keySize {
			t.Errorf("a key of %d bytes", len(key))
		}
	})
}
