package history

import (
	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// versions returns a page of the changes of an item, the newest first.
func (r *request) versions() ([]byte, error) {
	key, err := r.identity()
	if err != nil {
		return nil, err
	}
	p, err := r.newPage()
	if err != nil {
		return nil, err
	}
	c, err := r.moments.ParseCursor(r.Start)
	if err != nil {
		return nil, err
	}
	next := ""
	err = r.view(r.moments.Earliest, func(reader *store.Reader) error {
		of := pointintime.Item{Log: r.container.History, Key: key, Current: func(use func(image []byte) error) error {
			return r.current(reader, key, use)
		}}
		more, err := c.Read(reader, of, r.moments, r.work, r.Bounds, p.full, func(v *pointintime.Version) error {
			return p.add(func(dst []byte) ([]byte, error) { return r.appendVersion(dst, v) })
		})
		if more {
			next = c.Token()
		}
		return err
	})
	return p.finish("versions", next), err
}

func (r *request) appendVersion(dst []byte, v *pointintime.Version) ([]byte, error) {
	user, operation := changelog.ReadAuthor(v.Record.Author)
	kind := pointintime.KindOf(v.Record, operation == "CreateDocument" || operation == "ReplaceDocument",
		operation == "PatchDocument")
	dst = doc.AppendString(append(dst, `{"at":`...), pointintime.TimeText(v.At))
	dst = doc.AppendString(append(dst, `,"kind":`...), kind)
	dst = doc.AppendString(append(dst, `,"user":`...), user)
	dst = doc.AppendString(append(dst, `,"operation":`...), operation)
	dst, err := r.appendImages(dst, v.Before, v.After)
	return append(dst, '}'), err
}
