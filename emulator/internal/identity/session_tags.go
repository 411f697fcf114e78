package identity

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/constraint"
	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// A caller of AssumeRole can give a session tags and a source identity, which are condition keys of all its requests.
// A session that assumes another role passes on its source identity, and those of its tags that are transitive. (AWS's
// user guide, "Pass session tags in AWS STS" and "Monitor and control actions taken with assumed roles".)

// sessionTags are tags of a session.
type sessionTags struct {
	values     map[string]string
	transitive []string // keys
}

// find returns the value of a tag.
func (t *sessionTags) find(key string) (value string, ok bool) { return findTag(t.values, key) }

// findTag returns the value of a tag. The keys of tags are not case-sensitive.
func findTag(tags map[string]string, key string) (value string, ok bool) {
	for tag, value := range tags {
		if strings.EqualFold(tag, key) {
			return value, true
		}
	}
	return "", false
}

// inherited returns the tags that a session passes on. They stay transitive.
func (t *sessionTags) inherited() sessionTags {
	passed := sessionTags{map[string]string{}, t.transitive}
	for _, key := range t.transitive {
		passed.values[key], _ = t.find(key)
	}
	return passed
}

// over returns the tags, and those others that have other keys.
func (t *sessionTags) over(others map[string]string) map[string]string {
	if len(t.values) == 0 {
		return others
	}
	all := maps.Clone(t.values)
	for key, value := range others {
		if _, ok := t.find(key); !ok {
			all[key] = value
		}
	}
	return all
}

// with returns the tags that a session inherits together with new ones.
func (t *sessionTags) with(others sessionTags) sessionTags {
	return sessionTags{t.over(others.values), slices.Concat(t.transitive, others.transitive)}
}

// The limits of session tags (API reference, Tag and AssumeRole).
const (
	maxTags     = 50
	maxTagKey   = 128 // characters
	maxTagValue = 256 // characters
	// maxTagBytes is the size of the tags of one session, keys and values: session tokens must fit into the header of a
	// request. The value is our own; AWS's is of the packed form of the tags.
	maxTagBytes = 4 << 10
)

var (
	tagKey   = lazyregexp.New(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]+$`)
	tagValue = lazyregexp.New(`^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$`)
)

// tags returns the session tags of a request.
func (c *stsCall) tags(wrong *constraint.Violations) sessionTags {
	t := sessionTags{values: map[string]string{}}
	for _, n := range c.limitedMembers("Tags", "tags", wrong) {
		field, name := "Tags.member."+strconv.Itoa(n), "tags."+strconv.Itoa(n)+".member."
		key, value := c.form.Get(field+".Key"), c.form.Get(field+".Value")
		wrong.Required(c.form.Has(field+".Key"), name+"key")
		wrong.Required(c.form.Has(field+".Value"), name+"value")
		if c.form.Has(field + ".Key") {
			wrong.Length(name+"key", key, 1, maxTagKey)
			wrong.Matches(name+"key", key, tagKey, `[\p{L}\p{Z}\p{N}_.:/=+\-@]+`)
		}
		wrong.Length(name+"value", value, 0, maxTagValue)
		wrong.Matches(name+"value", value, tagValue, `[\p{L}\p{Z}\p{N}_.:/=+\-@]*`)
		t.values[key] = value
	}
	t.transitive = c.transitiveKeys(wrong)
	return t
}

// transitiveKeys returns the transitive keys of a request, each once. Each is the key of a tag, so that the limits of
// tags also limit the keys of a chain of roles.
func (c *stsCall) transitiveKeys(wrong *constraint.Violations) (keys []string) {
	for _, n := range c.limitedMembers("TransitiveTagKeys", "transitiveTagKeys", wrong) {
		key := c.form.Get("TransitiveTagKeys.member." + strconv.Itoa(n))
		if !slices.ContainsFunc(keys, func(other string) bool { return strings.EqualFold(other, key) }) {
			keys = append(keys, key)
		}
	}
	return keys
}

// limitedMembers is members for a list of at most maxTags members, which messages call name. It returns none of a
// longer one.
func (c *stsCall) limitedMembers(list, name string, wrong *constraint.Violations) []int {
	all := c.members(list)
	if len(all) > maxTags {
		wrong.AddWithheld(name, "Member must have length less than or equal to "+strconv.Itoa(maxTags))
		return nil
	}
	return all
}

// members returns the numbers of the members of a list, in order.
func (c *stsCall) members(list string) (all []int) {
	for name := range c.form {
		if member, ok := strings.CutPrefix(name, list+".member."); ok {
			number, _, _ := strings.Cut(member, ".")
			if n, err := strconv.Atoi(number); err == nil {
				all = append(all, n)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// checkTags checks the tags of a request as a whole. The messages are AWS's (LocalStack's tests against it, 2024).
func (c *stsCall) checkTags(t *sessionTags) error {
	folded := map[string]bool{}
	for key := range t.values {
		folded[strings.ToLower(key)] = true
		if strings.HasPrefix(strings.ToLower(key), "aws:") {
			return newError("ValidationError", "Tag keys that begin with aws: are reserved: "+key)
		}
	}
	if len(folded) < len(c.members("Tags")) {
		return newError("InvalidParameterValue",
			"Duplicate tag keys found. Please note that Tag keys are case insensitive.")
	}
	for _, key := range t.transitive {
		if !folded[strings.ToLower(key)] {
			return newError("InvalidParameterValue",
				"The specified transitive tag key must be included in the requested tags.")
		}
	}
	return nil
}

// inherit adds what the caller's session passes on to what a request asks for. The message about the source identity is
// AWS's (recorded by mahitotsu/gekko_08, 2026).
func (in *assumeRoleInput) inherit(caller *credential) error {
	inherited := caller.sessionTags.inherited()
	for key := range in.tags.values {
		if _, ok := inherited.find(key); ok {
			return newError("InvalidParameterValue", "One of the specified transitive tag keys can't be set because it "+
				"conflicts with a transitive tag key from the calling session.")
		}
	}
	in.all = inherited.with(in.tags)
	if caller.source != "" {
		if in.source != "" && in.source != caller.source {
			return newError("ValidationError", "The source identity is already set for this assume role session")
		}
		in.source = caller.source
	}
	return in.checkSize()
}

// checkSize checks the size of all tags of a session. The message is AWS's.
func (in *assumeRoleInput) checkSize() error {
	size := 0
	for key, value := range in.all.values {
		size += len(key) + len(value)
	}
	if size > maxTagBytes {
		return newError("PackedPolicyTooLarge",
			"Packed size of session tags consumes "+strconv.Itoa(size*100/maxTagBytes)+"% of allotted space.")
	}
	return nil
}

// The actions that policies must allow to assume a role, to give its session tags, and to give it a source identity.
const (
	assumeRole        = "sts:AssumeRole"
	tagSession        = "sts:TagSession"
	setSourceIdentity = "sts:SetSourceIdentity"
)

// actions returns the actions that a request needs.
func (in *assumeRoleInput) actions() []string {
	all := []string{assumeRole}
	if len(in.all.values) > 0 {
		all = append(all, tagSession)
	}
	if in.source != "" {
		all = append(all, setSourceIdentity)
	}
	return all
}

// Values implements iam.Values with the condition keys of the action that is authorized (service authorization
// reference, "Actions, resources, and condition keys for AWS Security Token Service").
func (in *assumeRoleInput) Values(key string) []string {
	tag, isTag := strings.CutPrefix(key, "aws:requesttag/")
	switch {
	case key == "sts:externalid" && in.action == assumeRole:
		return iam.ValueOf(in.externalID)
	case key == "sts:rolesessionname" && in.action == assumeRole:
		return iam.ValueOf(in.session)
	case key == "sts:sourceidentity" && in.action != tagSession:
		return iam.ValueOf(in.source)
	case in.action == setSourceIdentity:
	case key == "sts:transitivetagkeys":
		return in.tags.transitive
	case key == "aws:tagkeys":
		return slices.Sorted(maps.Keys(in.tags.values))
	case isTag:
		if value, ok := in.tags.find(tag); ok {
			return []string{value}
		}
	}
	return nil
}

// refuseMFA refuses a code of an MFA device, in AWS's words: no user has one.
func (c *stsCall) refuseMFA() error {
	if c.form.Has("SerialNumber") || c.form.Has("TokenCode") {
		return newError(AccessDenied, "MultiFactorAuthentication failed, unable to validate MFA code.  Please verify your "+
			"MFA serial number is valid and associated with this user.")
	}
	return nil
}

// refuseUnsupported refuses the parameters that would change what a session may do, and are not supported.
func (c *stsCall) refuseUnsupported() error {
	for name := range c.form {
		switch list, _, _ := strings.Cut(name, "."); list {
		case "PolicyArns": // without them, the session could do more than was asked for
			return newError("ValidationError",
				"PolicyArns is not supported by this emulator: give the session its permissions in Policy")
		case "ProvidedContexts":
			return newError("ValidationError", "ProvidedContexts is not supported by this emulator")
		}
	}
	return c.refuseMFA()
}
