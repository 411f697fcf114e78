package destination

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi"
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// Microsecond is the precision of times in records that is not the default. Records name only this one.
const Microsecond = "MICROSECOND"

// eventNames are the names of changes in records.
var eventNames = map[changelog.Kind]string{changelog.Insert: "INSERT", changelog.Modify: "MODIFY",
	changelog.Remove: "REMOVE"}

// appendRecord appends the record of a change. Members and their order are those of records of the service in public
// repositories (of 2021-03, 2022-05, 2022-08 and 2024-07), which have both images whatever the table's stream has.
// SizeBytes is the size of the keys and the images.
func appendRecord(dst []byte, def *engine.Definition, d *engine.KinesisDestination, region string,
	at changelog.Position, r *changelog.Record) []byte {
	dst = jsonwrite.AppendString(append(dst, `{"awsRegion":`...), region)
	dst = append(append(append(dst, `,"eventID":"`...), eventID(def.ID, at)...), `","eventName":"`...)
	dst = append(append(dst, eventNames[r.Kind]...), `","userIdentity":`...)
	if r.ByService { // an expired item
		dst = append(dst, `{"type":"Service","principalId":"dynamodb.amazonaws.com"}`...)
	} else {
		dst = append(dst, "null"...)
	}
	dst = jsonwrite.AppendString(append(dst, `,"recordFormat":"application/json","tableName":`...), def.Name)
	dst = append(dst, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	if d.Precision == Microsecond {
		dst = strconv.AppendInt(dst, at.Time().UnixMicro(), 10)
	} else {
		dst = strconv.AppendInt(dst, at.Time().UnixMilli(), 10)
	}
	dst = appendImages(dst, def, r)
	if d.Precision == Microsecond {
		dst = append(dst, `,"ApproximateCreationDateTimePrecision":"MICROSECOND"`...)
	}
	return append(dst, `},"eventSource":"aws:dynamodb"}`...)
}

// appendImages appends the key, the images and their size.
func appendImages(dst []byte, def *engine.Definition, r *changelog.Record) []byte {
	newImage, oldImage := item.Value(r.New), item.Value(r.Old)
	if r.Kind == changelog.Insert {
		oldImage = nil
	}
	if r.Kind == changelog.Remove {
		newImage = nil
	}
	image := newImage
	if image == nil {
		image = oldImage
	}
	keys := keyOf(def, image)
	dst = keys.AppendItem(append(dst, `,"Keys":`...))
	if newImage != nil {
		dst = newImage.AppendItem(append(dst, `,"NewImage":`...))
	}
	if oldImage != nil {
		dst = oldImage.AppendItem(append(dst, `,"OldImage":`...))
	}
	size := engine.SizeOf(keys) + engine.SizeOf(newImage) + engine.SizeOf(oldImage)
	return strconv.AppendInt(append(dst, `,"SizeBytes":`...), int64(size), 10)
}

// keyOf returns the key of an item.
func keyOf(def *engine.Definition, it item.Value) item.Value {
	entries := make([]item.Entry, 0, 2)
	for _, e := range def.KeySchema {
		if v, ok := it.Field(e.AttributeName); ok {
			entries = append(entries, item.Entry{Name: e.AttributeName, Value: v})
		}
	}
	return item.NewMap(entries...)
}

// partitionKey returns the partition key of an item's records: 32 hexadecimal digits, as in the service, which are the
// same for all changes of the item.
func partitionKey(key []byte) string {
	sum := md5.Sum(key)
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// eventID returns the id of a change, which is the same if it is delivered again.
func eventID(table uint32, at changelog.Position) string {
	b := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, table), uint64(at))
	sum := md5.Sum(b)
	return awsapi.UUID(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]))
}
