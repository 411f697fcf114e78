package policycheck

import (
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// context returns the condition values of an access: those that follow from the caller, the resource and the time, the
// recorded ones, and those of the source.
func (s *Source) context(e *recording.Entry, a recording.Access, principal *iam.Principal) iam.Context {
	c := iam.Context{}
	set := func(key, value string) {
		if value != "" {
			c[key] = []string{value}
		}
	}
	set("aws:currenttime", e.Time.UTC().Format("2006-01-02T15:04:05Z"))
	set("aws:epochtime", strconv.FormatInt(e.Time.Unix(), 10))
	set("aws:requestedregion", iam.RegionOf(a.Resource))
	set("aws:useragent", e.Client)
	set("aws:viaawsservice", "false")
	set("aws:principalaccount", principal.Account)
	set("aws:principalarn", principal.ARN)
	if principal.Role != "" {
		set("aws:principalarn", principal.Role)
		set("aws:principaltype", "AssumedRole")
		set("aws:multifactorauthpresent", "false")
	} else if _, name, ok := strings.Cut(principal.ARN, ":user/"); ok {
		set("aws:principaltype", "User")
		set("aws:username", name[strings.LastIndexByte(name, '/')+1:])
	}
	id, tags := s.identity(principal)
	set("aws:userid", id)
	for name, value := range tags {
		c["aws:principaltag/"+strings.ToLower(name)] = []string{value}
	}
	for _, given := range []map[string][]string{a.Context, s.Context} {
		for key, values := range given {
			c[strings.ToLower(key)] = values
		}
	}
	if keys := c["dynamodb:leadingkeys"]; c["dynamodb:firstpartitionkeyvalues"] == nil && keys != nil {
		c["dynamodb:firstpartitionkeyvalues"] = keys // they are not recorded, because they are the same
	}
	return c
}

// identity returns the aws:userid of a caller, and the tags of the user or role, if the caller is in the directory.
func (s *Source) identity(principal *iam.Principal) (id string, tags map[string]string) {
	if s.Directory == nil {
		return "", nil
	}
	if u, ok := s.Directory.User(principal.ARN); ok {
		return u.ID, u.Tags
	}
	if r, ok := s.Directory.Role(principal.Role); ok {
		return r.ID + ":" + principal.ARN[strings.LastIndexByte(principal.ARN, '/')+1:], r.Tags
	}
	return "", nil
}
