package webconsole

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// scope is an access key and a region that have tables of their own.
type scope struct {
	AccessKeyID string `json:"accessKeyId"`
	Region      string `json:"region"`
}

// isolated reports whether the console can choose the access key whose tables it shows: each has its own, and nobody
// signs in.
func (c *console) isolated(d control.DynamoDBConnection) bool { return !c.identified() && d.Isolated }

// scopes returns the access keys and regions that have tables, if they are isolated, in order.
func (c *console) scopes(d control.DynamoDBConnection) []scope {
	found := []scope{}
	if !c.isolated(d) {
		return found
	}
	for _, table := range c.Heat() {
		key, region, ok := strings.Cut(table.Account, "/")
		if one := (scope{key, region}); ok && isAccessKey(key) && isRegion(region) && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(a, b scope) int {
		return strings.Compare(a.AccessKeyID+"/"+a.Region, b.AccessKeyID+"/"+b.Region)
	})
	return found
}

// chosenKey returns the access key of the parameter accessKey, by default anyKey. ok is false if the parameter is not
// an access key, or if none can be chosen.
func (c *console) chosenKey(parameters url.Values) (key identity.Key, ok bool) {
	if !parameters.Has("accessKey") {
		return anyKey, true
	}
	key = identity.Key{ID: parameters.Get("accessKey"), Secret: anyKey.Secret}
	return key, isAccessKey(key.ID) && c.isolated(c.Connections().DynamoDB)
}

// maxAccessKey is the length in bytes of the longest access key: that of AWS's model.
const maxAccessKey = 128

// isAccessKey reports whether a name can be an access key in a signature.
func isAccessKey(name string) bool {
	return isName(strings.NewReplacer("-", "a", "_", "a", ".", "a").Replace(name), maxAccessKey)
}

// isRegion reports whether a name can be that of a region.
func isRegion(name string) bool { return isName(strings.ReplaceAll(name, "-", ""), maxRegion) }
