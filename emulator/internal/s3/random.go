package s3

import "crypto/rand"

// randomBytes returns 16 random bytes. Names of files must be unique even if a second emulator with the same seed uses
// the folder.
func randomBytes() (b [16]byte) {
	_, _ = rand.Read(b[:]) // does not fail
	return b
}
