package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
)

// recordState is the state of a folder's database.
type recordState uint8

const (
	stateCreating recordState = iota + 1 // the database is being created; no write has been acknowledged yet
	stateOpen                            // in use, or its process was killed
	stateClean                           // closed properly: each file is exactly as long as recorded
)

// fileID identifies a file whose content is recorded: a manifest or a log of Pebble.
type fileID struct {
	manifest bool
	number   uint64
}

// parseFileID parses the name of a manifest or a log; ok is false for any other file.
func parseFileID(name string) (id fileID, ok bool) {
	digits, isManifest := strings.CutPrefix(name, "MANIFEST-")
	if !isManifest {
		var isLog bool
		if digits, isLog = strings.CutSuffix(name, ".log"); !isLog {
			return fileID{}, false
		}
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return fileID{isManifest, n}, err == nil
}

// String returns the file's name.
func (id fileID) String() string {
	if id.manifest {
		return fmt.Sprintf("MANIFEST-%06d", id.number)
	}
	return fmt.Sprintf("%06d.log", id.number)
}

// fileRecord is how much of a file is on stable storage: its first length bytes, as they are on disk, and their
// SHA-256.
type fileRecord struct {
	id     fileID
	length int64
	sum    [sha256.Size]byte
}

// integrityRecord is the content that a folder must have at least; in stateClean, exactly.
type integrityRecord struct {
	sequence uint64 // of the record; the highest of the slots counts
	epoch    uint64 // counts how often a loss was accepted
	state    recordState
	files    []fileRecord
}

func (r *integrityRecord) find(id fileID) *fileRecord {
	i := slices.IndexFunc(r.files, func(f fileRecord) bool { return f.id == id })
	if i < 0 {
		return nil
	}
	return &r.files[i]
}

func (r *integrityRecord) set(f fileRecord) {
	if known := r.find(f.id); known != nil {
		*known = f
		return
	}
	r.files = append(r.files, f)
}

func (r *integrityRecord) remove(id fileID) {
	r.files = slices.DeleteFunc(r.files, func(f fileRecord) bool { return f.id == id })
}

// A record is written as magic, total length, sequence, epoch, state, count, the files, and a MAC over all of it.
const (
	recordMagic    = "TTI1"
	recordHeader   = len(recordMagic) + 4 + 8 + 8 + 1 + 2
	recordPerFile  = 1 + 8 + 8 + sha256.Size
	slotSize       = 16 << 10 // bytes
	maxRecordFiles = (slotSize - recordHeader - sha256.Size) / recordPerFile
)

// newRecordMAC returns the MAC of records: with a key derived from the folder's key or, in a folder that is not
// encrypted, with a public key, which makes it a checksum.
func newRecordMAC(folderKey []byte) hash.Hash {
	if folderKey == nil {
		folderKey = []byte("a folder that is not encrypted")
	}
	derive := hmac.New(sha256.New, folderKey)
	derive.Write([]byte("tabletop folder integrity"))
	return hmac.New(sha256.New, derive.Sum(nil))
}

// encode appends the record to buf. Beyond maxRecordFiles files, which no store comes near, the oldest are omitted: the
// record then covers less.
func (r *integrityRecord) encode(buf []byte, mac hash.Hash) []byte {
	files := r.files[max(0, len(r.files)-maxRecordFiles):]
	start := len(buf)
	buf = append(buf, recordMagic...)
	buf = binary.BigEndian.AppendUint32(buf, uint32(recordHeader+len(files)*recordPerFile+sha256.Size))
	buf = binary.BigEndian.AppendUint64(buf, r.sequence)
	buf = binary.BigEndian.AppendUint64(buf, r.epoch)
	buf = append(buf, byte(r.state))
	buf = binary.BigEndian.AppendUint16(buf, uint16(len(files)))
	for i := range files {
		kind := byte(0)
		if files[i].id.manifest {
			kind = 1
		}
		buf = append(buf, kind)
		buf = binary.BigEndian.AppendUint64(buf, files[i].id.number)
		buf = binary.BigEndian.AppendUint64(buf, uint64(files[i].length))
		buf = append(buf, files[i].sum[:]...)
	}
	mac.Reset()
	mac.Write(buf[start:])
	return mac.Sum(buf)
}

// decodeRecord decodes a slot; ok is false if it has no record, or a torn or changed one.
func decodeRecord(slot []byte, mac hash.Hash) (r *integrityRecord, ok bool) {
	if len(slot) < recordHeader+sha256.Size || string(slot[:len(recordMagic)]) != recordMagic {
		return nil, false
	}
	size := int64(binary.BigEndian.Uint32(slot[len(recordMagic):]))
	if size < int64(recordHeader+sha256.Size) || size > int64(len(slot)) {
		return nil, false
	}
	body, code := slot[:size-sha256.Size], slot[size-sha256.Size:size]
	mac.Reset()
	mac.Write(body)
	if !hmac.Equal(mac.Sum(nil), code) {
		return nil, false
	}
	fields := body[len(recordMagic)+4:]
	r = &integrityRecord{
		sequence: binary.BigEndian.Uint64(fields), epoch: binary.BigEndian.Uint64(fields[8:]), state: recordState(fields[16]),
	}
	files := body[recordHeader:]
	for ; len(files) >= recordPerFile; files = files[recordPerFile:] {
		f := fileRecord{id: fileID{files[0] == 1, binary.BigEndian.Uint64(files[1:])},
			length: int64(binary.BigEndian.Uint64(files[9:]))}
		copy(f.sum[:], files[17:])
		r.files = append(r.files, f)
	}
	return r, len(files) == 0 && len(r.files) == int(binary.BigEndian.Uint16(fields[17:]))
}
