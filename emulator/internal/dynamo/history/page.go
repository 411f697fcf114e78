package history

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonwrite"
)

// The number of members of a page.
const (
	defaultLimit = 100
	maxLimit     = 1000
)

// pageInput is the part of a request that all lists have.
type pageInput struct {
	Limit wire.Optional[int64]
	Start wire.Optional[string] // the token of the previous page
}

// decodeMember decodes a member if it belongs to pageInput.
func (in *pageInput) decodeMember(d *wire.Decoder, name []byte) (known bool, err error) {
	switch string(name) {
	case "Limit":
		return true, d.Integer(&in.Limit, "Integer")
	case "Start":
		return true, d.Str(&in.Start)
	}
	return false, nil
}

func (in *pageInput) check() error {
	if in.Limit.Set && (in.Limit.V < 1 || in.Limit.V > maxLimit) {
		return wire.ValidationError("limit must be from 1 to 1000")
	}
	return nil
}

// ResponseBytes is the most bytes that are read for a page.
func (in *pageInput) ResponseBytes() int64 { return engine.PageBytes }

// PolicyValues adds the values of a request that reads whole items.
func (in *pageInput) PolicyValues(v *engine.PolicyValues, _ int, _ string) {
	v.Select, v.ReturnConsumedCapacity = engine.DefaultSelect(nil), "NONE"
}

// limit returns the most members of the page.
func (in *pageInput) limit() int {
	if in.Limit.Set {
		return int(in.Limit.V)
	}
	return defaultLimit
}

// page is a list in progress: its members in JSON.
type page struct {
	req   *engine.Request
	limit int
	json  []byte // each member after a comma
	count int
}

// full reports whether the page has as many members as it may, or the request has done its share of work.
func (p *page) full() bool { return p.count >= p.limit || len(p.json) >= engine.PageBytes || p.spent() }

// spent reports whether the request has done its share of work.
func (p *page) spent() bool { return extensionOf(p.req).Bounds.Spent(&p.req.Work) }

// add adds a member that write appends.
func (p *page) add(write func(dst []byte) []byte) error {
	before := len(p.json)
	p.json = write(append(p.json, ','))
	p.count++
	return p.req.CountResponseMemory(len(p.json) - before)
}

// appendList appends the members as a member of an object.
func (p *page) appendList(dst []byte, name string) []byte {
	dst = append(jsonwrite.AppendString(append(dst, ','), name), `:[`...)
	if len(p.json) > 0 {
		dst = append(dst, p.json[1:]...)
	}
	return append(dst, ']')
}

// appendNext appends the token of the next page; empty: there is none.
func appendNext(dst []byte, next string) []byte {
	return jsonwrite.AppendString(append(dst, `,"next":`...), next)
}
