package identities

import (
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// identitySpec has the fields common to the descriptions of users, groups and roles.
type identitySpec struct {
	at       *yaml.Node
	attached []*yaml.Node // names of policies
	inline   map[string]*iam.Policy
	boundary *yaml.Node // the name of a policy; nil: none
	tags     map[string]string
}

type groupSpec struct{ identitySpec }

type userSpec struct {
	identitySpec
	keys   []*Key
	groups []*yaml.Node
}

type roleSpec struct {
	identitySpec
	trust      *iam.Policy
	maxSession int
}

// entityName matches the names that users, roles and groups may have.
var entityName = lazyregexp.New(`^[A-Za-z0-9+=,.@_-]{1,64}$`)

func (r reader) name(n *yaml.Node) error {
	if !entityName.MatchString(n.Value) {
		return r.refuse(n, "%q is not a name: at most 64 letters, digits and +=,.@_-", n.Value)
	}
	return nil
}

// member parses a field that users, groups and roles have; known is false for other fields.
func (s *identitySpec) member(r reader, name, value *yaml.Node) (known bool, err error) {
	switch name.Value {
	case "policies":
		s.attached, err = r.names(value, "policies")
	case "inline":
		s.inline = map[string]*iam.Policy{}
		err = r.policies(iam.Identity, value, "inline", s.inline)
	case "boundary":
		var text string
		s.boundary, err = value, r.text(value, "boundary", &text)
	case "tags":
		s.tags = map[string]string{}
		err = r.fields(value, "tags", func(key, value *yaml.Node) error {
			var text string
			err := r.text(value, "tag "+key.Value, &text)
			s.tags[key.Value] = text
			return err
		})
	default:
		return false, nil
	}
	return true, err
}

// names parses a list of names with their places.
func (r reader) names(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if _, err := r.texts(n, what); err != nil {
		return nil, err
	}
	var all []*yaml.Node
	for _, item := range n.Content {
		all = append(all, resolveAlias(item))
	}
	return all, nil
}

func (r reader) user(n *yaml.Node) (*userSpec, error) {
	u := &userSpec{identitySpec: identitySpec{at: n}}
	err := r.fields(n, "a user", func(name, value *yaml.Node) error {
		var err error
		switch name.Value {
		case "keys":
			u.keys, err = r.keys(value)
			return err
		case "groups":
			u.groups, err = r.names(value, "groups")
			return err
		}
		known, err := u.member(r, name, value)
		if !known {
			return r.refuse(name, "a user has no %q: it has keys, groups, policies, inline, boundary and tags", name.Value)
		}
		return err
	})
	return u, err
}

func (r reader) group(n *yaml.Node) (*groupSpec, error) {
	g := &groupSpec{identitySpec{at: n}}
	err := r.fields(n, "a group", func(name, value *yaml.Node) error {
		if name.Value != "policies" && name.Value != "inline" {
			return r.refuse(name, "a group has no %q: it has policies and inline", name.Value)
		}
		_, err := g.member(r, name, value)
		return err
	})
	return g, err
}

// Durations of a role session, in seconds.
const (
	defaultMaxSession = 60 * 60
	maxMaxSession     = 12 * 60 * 60
)

func (r reader) role(name string, n *yaml.Node) (*roleSpec, error) {
	role := &roleSpec{identitySpec: identitySpec{at: n}, maxSession: defaultMaxSession}
	err := r.fields(n, "a role", func(field, value *yaml.Node) error {
		var err error
		switch field.Value {
		case "trust":
			role.trust, err = r.policy(iam.Trust, "trust policy of "+name, value)
			return err
		case "max_session":
			role.maxSession, err = r.duration(value)
			return err
		}
		known, err := role.member(r, field, value)
		if !known {
			return r.refuse(field, "a role has no %q: it has trust, policies, inline, boundary, tags and max_session",
				field.Value)
		}
		return err
	})
	if err == nil && role.trust == nil {
		err = r.refuse(n, "role %s has no trust: add a trust policy, which states who may assume it", name)
	}
	return role, err
}

// duration parses the length of a session and returns it in seconds.
func (r reader) duration(n *yaml.Node) (int, error) {
	d, err := time.ParseDuration(n.Value)
	if seconds, notNumber := strconv.Atoi(n.Value); notNumber == nil {
		d, err = time.Duration(seconds)*time.Second, nil
	}
	seconds := int(d / time.Second)
	if err != nil || seconds < defaultMaxSession || seconds > maxMaxSession {
		return 0, r.refuse(n, "max_session is from 1h to 12h, not %q", n.Value)
	}
	return seconds, nil
}

// SessionKey is the prefix of temporary access keys.
const SessionKey = "ASIA"

// keys parses a list of access keys.
func (r reader) keys(n *yaml.Node) ([]*Key, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.refuse(n, "keys has to be a list of {id: …, secret: …}")
	}
	var all []*Key
	for _, item := range n.Content {
		key := &Key{}
		err := r.fields(item, "a key", func(name, value *yaml.Node) error {
			switch name.Value {
			case "id":
				return r.text(value, "the id of a key", &key.ID)
			case "secret":
				return r.text(value, "the secret of a key", &key.Secret)
			}
			return r.refuse(name, "a key has no %q: it has id and secret", name.Value)
		})
		switch {
		case err != nil:
			return nil, err
		case !accessKey.MatchString(key.ID) || strings.HasPrefix(key.ID, SessionKey):
			return nil, r.refuse(
				item, "%q is not the id of an access key: write 16 to 128 letters and digits, such as AKIAIOSFODNN7EXAMPLE (ASIA… are those of sessions)",
				key.ID)
		case key.Secret == "" && !r.derived:
			return nil, r.refuse(item, "access key %s has no secret: write secret: and what signs by it", key.ID)
		}
		all = append(all, key)
	}
	return all, nil
}

// accessKey matches valid access key ids.
var accessKey = lazyregexp.New(`^\w{16,128}$`)
