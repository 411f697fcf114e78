package cosmos

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// NotRecorded replaces a resource token in a recorded body.
const NotRecorded = "(not recorded)"

// Recordable returns the body of a request or of its response as recordings have it: JSON in text form, and without the
// resource tokens of permissions. A body that is not JSON is returned as it is; for the path of permissions, where it
// may have a token, the result is nil.
func Recordable(path string, body []byte) []byte {
	secret := isOfPermissions(path)
	if len(body) == 0 || !secret && !doc.IsBinary(body) {
		return body
	}
	v, err := doc.ParseAny(body)
	switch {
	case err != nil && secret:
		return nil
	case err != nil:
		return body
	case secret:
		v = withoutTokens(v)
	}
	return doc.Append(nil, v)
}

// isOfPermissions reports whether a path is dbs/DATABASE/users/USER/permissions, or that of a permission there.
func isOfPermissions(path string) bool {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	return len(parts) > 4 && strings.EqualFold(parts[4], "permissions")
}

// withoutTokens replaces all resource tokens in a value.
func withoutTokens(v doc.Value) doc.Value {
	switch v.Kind() {
	case doc.Text:
		if strings.Contains(v.Str(), "type=resource") {
			return doc.String(NotRecorded)
		}
	case doc.List:
		elements := make([]doc.Value, v.Len())
		for i, element := range v.Elements() {
			elements[i] = withoutTokens(element)
		}
		return doc.Array(elements...)
	case doc.Map:
		members := make([]doc.Member, v.Len())
		for i, m := range v.Members() {
			members[i] = doc.Member{Name: m.Name, Value: withoutTokens(m.Value)}
		}
		return doc.Object(members...)
	}
	return v
}
