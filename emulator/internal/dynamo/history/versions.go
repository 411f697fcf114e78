package history

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// VersionsInput reads the changes of an item.
type VersionsInput struct {
	pageInput
	TableName wire.TableName
	Key       wire.Attributes
}

func (in *VersionsInput) Decode(d *wire.Decoder) error {
	return d.Members(func(name []byte) error {
		switch string(name) {
		case "TableName":
			return d.TableName(&in.TableName)
		case "Key":
			return d.Attributes(&in.Key)
		}
		if known, err := in.decodeMember(d, name); known {
			return err
		}
		return d.Skip()
	})
}

func (in *VersionsInput) Check() error {
	if err := wire.ReadErrors.Convert(in.Key.Err); err != nil {
		return err
	}
	return in.check()
}

func (in *VersionsInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Action: "GetItem", Table: in.TableName.V, Item: in.Key.Value})
}

// VersionsOutput is a page of the changes of an item, the newest first.
type VersionsOutput struct {
	page
	next string
}

func (o *VersionsOutput) AppendJSON(dst []byte) []byte {
	from := len(dst)
	dst = o.appendList(dst, "versions")
	dst[from] = '{' // in place of the comma
	return append(appendNext(dst, o.next), '}')
}

// Versions reads the changes of an item, the newest first.
func Versions(req *engine.Request, in *VersionsInput) (*VersionsOutput, error) {
	t, moments, err := findTable(req, in.TableName.V)
	if err != nil {
		return nil, err
	}
	if err := t.Keys.CheckKey(in.Key.Value); err != nil {
		return nil, err
	}
	c, err := moments.ParseCursor(in.Start.V)
	if err != nil {
		return nil, convert(err)
	}
	out := &VersionsOutput{page: page{req: req, limit: in.limit()}}
	key := t.Key(in.Key.Value)[engine.KeyPrefixLength:]
	err = view(req, t, moments.Earliest, func(r *store.Reader) error {
		of := pointintime.Item{Log: t.Log, Key: key, Current: func(use func(image []byte) error) error {
			return current(r, t, key, use)
		}}
		more, err := c.Read(r, of, moments, &req.Work, extensionOf(req).Bounds, out.full,
			func(v *pointintime.Version) error {
				return out.add(func(dst []byte) []byte { return appendVersion(dst, v) })
			})
		if more {
			out.next = c.Token()
		}
		return err
	})
	return out, err
}

// putOperations are the operations that replace items.
var putOperations = []string{"PutItem", "BatchWriteItem", "StartBulkPutItems"}

func appendVersion(dst []byte, v *pointintime.Version) []byte {
	user, operation := changelog.ReadAuthor(v.Record.Author)
	kind := pointintime.KindOf(v.Record, slices.Contains(putOperations, operation), operation == "UpdateItem")
	dst = jsonwrite.AppendString(append(dst, `{"at":`...), pointintime.TimeText(v.At))
	dst = jsonwrite.AppendString(append(dst, `,"kind":`...), kind)
	dst = jsonwrite.AppendString(append(dst, `,"user":`...), user)
	dst = jsonwrite.AppendString(append(dst, `,"operation":`...), operation)
	return append(appendImages(dst, v.Before, v.After), '}')
}
