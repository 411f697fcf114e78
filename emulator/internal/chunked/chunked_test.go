package chunked_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
)

// sizes are sizes at which a chunk could be skipped or copied twice.
var sizes = []int{0, 1, 511, 512, chunked.ChunkSize - 1, chunked.ChunkSize, chunked.ChunkSize + 1,
	2*chunked.ChunkSize - 1, 2 * chunked.ChunkSize,
	5*chunked.ChunkSize + 17}

func text(n int) []byte {
	random, b := rand.New(rand.NewPCG(uint64(n), 0)), make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}

// Copying and hashing in chunks gives the same results as at once.
func TestChunksEqualTheWhole(t *testing.T) {
	t.Parallel()
	for _, n := range sizes {
		whole := text(n)
		for _, more := range sizes {
			if grown := chunked.Grow(bytes.Clone(whole), more); !bytes.Equal(grown, whole) || cap(grown) < n+more {
				t.Errorf("%d bytes grown by %d are %d, with room for %d", n, more, len(grown), cap(grown))
			}
			if all := chunked.Append(bytes.Clone(whole), text(more)); !bytes.Equal(all, append(bytes.Clone(whole),
				text(more)...)) {
				t.Errorf("%d bytes after %d are others", more, n)
			}
		}
		if clone := chunked.Clone(whole); !bytes.Equal(clone, whole) || clone == nil || n > 0 && &clone[0] == &whole[0] {
			t.Errorf("the clone of %d bytes is another", n)
		}
		h := sha256.New()
		if chunked.Write(h, whole); [sha256.Size]byte(h.Sum(nil)) != sha256.Sum256(whole) {
			t.Errorf("the hash of %d bytes is another", n)
		}
		read, err := chunked.ReadAll(iotest.HalfReader(bytes.NewReader(whole)))
		if err != nil || !bytes.Equal(read, whole) {
			t.Errorf("%v, %d bytes of %d are read", err, len(read), n)
		}
	}
	if chunked.Clone(nil) != nil {
		t.Error("the clone of nothing is not nil")
	}
}

// ReadAll returns a reader's error, with what was read before it.
func TestReadAllReturnsErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	read, err := chunked.ReadAll(io.MultiReader(bytes.NewReader(text(1000)), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !bytes.Equal(read, text(1000)) {
		t.Errorf("%v after %d bytes", err, len(read))
	}
}

// Grow keeps memory that has enough capacity.
func TestGrowKeepsABufferWithEnoughCapacity(t *testing.T) {
	t.Parallel()
	b := make([]byte, 10, 3*chunked.ChunkSize)
	if grown := chunked.Grow(b, 2*chunked.ChunkSize); &grown[0] != &b[0] {
		t.Error("what had room was copied")
	}
}
