package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// cipherFS is a file system whose files are encrypted with AES-256 in counter mode. Each file has a header with a nonce
// of its own, followed by as many bytes as its content has. Pebble sees only the content.
//
// It protects the files against reading, not against changes: those are left to Pebble's checksums, which are not
// secret.
type cipherFS struct {
	vfs.FS
	block cipher.Block
}

// A header is a magic text and a nonce. The block counter after the nonce has 32 bits: 64 GB a file.
const (
	cipherMagic  = "TTE1"
	nonceSize    = aes.BlockSize - 4
	cipherHeader = int64(len(cipherMagic) + nonceSize)
)

func newCipherFS(fs vfs.FS, key []byte) (*cipherFS, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return &cipherFS{FS: fs, block: block}, nil
}

// Create implements vfs.FS.
func (fs *cipherFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	inner, err := fs.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	f := &cipherFile{File: inner, block: fs.block}
	rand.Read(f.nonce[:]) // never fails
	if _, err := inner.Write(append([]byte(cipherMagic), f.nonce[:]...)); err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	return f, nil
}

// Open implements vfs.FS.
func (fs *cipherFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	inner, err := fs.FS.Open(name, opts...)
	if err != nil {
		return nil, err
	}
	f := &cipherFile{File: inner, block: fs.block}
	if err := f.readHeader(name); err != nil {
		return nil, errors.Join(err, inner.Close())
	}
	return f, nil
}

// OpenReadWrite implements vfs.FS. Pebble calls it only for an on-disk cache, which a store does not have.
func (fs *cipherFS) OpenReadWrite(name string, _ vfs.DiskWriteCategory, _ ...vfs.OpenOption) (vfs.File, error) {
	return nil, fmt.Errorf("%s cannot be written in place: an encrypted file is written once, from its start", name)
}

// ReuseForWrite implements vfs.FS with a new file: to overwrite a file with the same nonce would reveal both texts.
func (fs *cipherFS) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return createInstead(fs, oldname, newname, category)
}

// Stat implements vfs.FS.
func (fs *cipherFS) Stat(name string) (vfs.FileInfo, error) {
	info, err := fs.FS.Stat(name)
	return contentInfo(info), err
}

// Unwrap implements vfs.FS.
func (fs *cipherFS) Unwrap() vfs.FS { return fs.FS }

// contentInfo describes a file's content, without its header.
func contentInfo(info vfs.FileInfo) vfs.FileInfo {
	if info == nil || info.IsDir() {
		return info
	}
	return cipherInfo{info}
}

type cipherInfo struct{ vfs.FileInfo }

// Size returns the size of the content.
func (i cipherInfo) Size() int64 { return max(0, i.FileInfo.Size()-cipherHeader) }

// cipherFile is an encrypted file. Offsets and lengths are those of its content.
type cipherFile struct {
	vfs.File
	block cipher.Block
	nonce [nonceSize]byte
	empty bool // the file has no header on disk, such as one created just before a power cut

	writing cipher.Stream // nil until the first write
	reading int64         // next offset of Read
}

func (f *cipherFile) readHeader(name string) error {
	var header [cipherHeader]byte
	n, err := f.File.ReadAt(header[:], 0)
	switch {
	case err != nil && err != io.EOF:
		return err
	case n < len(header) || header == [cipherHeader]byte{}:
		f.empty = true
		return nil
	case string(header[:len(cipherMagic)]) != cipherMagic:
		return &os.PathError{Op: "decrypt", Path: name, Err: errors.New("it does not begin as an encrypted file does")}
	}
	copy(f.nonce[:], header[len(cipherMagic):])
	return nil
}

// stream returns the key stream from an offset on.
func (f *cipherFile) stream(offset int64) cipher.Stream {
	var iv [aes.BlockSize]byte
	copy(iv[:], f.nonce[:])
	binary.BigEndian.PutUint32(iv[nonceSize:], uint32(offset/aes.BlockSize))
	s := cipher.NewCTR(f.block, iv[:])
	if skip := offset % aes.BlockSize; skip > 0 {
		s.XORKeyStream(iv[:skip], iv[:skip])
	}
	return s
}

// Write encrypts p in place, which vfs.File allows.
func (f *cipherFile) Write(p []byte) (int, error) {
	if f.writing == nil {
		f.writing = f.stream(0)
	}
	f.writing.XORKeyStream(p, p)
	return f.File.Write(p)
}

// WriteAt implements vfs.File, for files of OpenReadWrite only.
func (f *cipherFile) WriteAt([]byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func (f *cipherFile) ReadAt(p []byte, offset int64) (int, error) {
	if f.empty {
		return 0, io.EOF
	}
	n, err := f.File.ReadAt(p, offset+cipherHeader)
	f.stream(offset).XORKeyStream(p[:n], p[:n])
	return n, err
}

func (f *cipherFile) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := f.ReadAt(p, f.reading)
	f.reading += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *cipherFile) Preallocate(offset, length int64) error {
	return f.File.Preallocate(offset+cipherHeader, length)
}

func (f *cipherFile) Prefetch(offset, length int64) error {
	return f.File.Prefetch(offset+cipherHeader, length)
}

func (f *cipherFile) SyncTo(length int64) (bool, error) { return f.File.SyncTo(length + cipherHeader) }

func (f *cipherFile) Stat() (vfs.FileInfo, error) {
	info, err := f.File.Stat()
	return contentInfo(info), err
}
