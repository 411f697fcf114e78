package identity

import (
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
)

// credential is an access key: its secret and its principal. It is immutable.
type credential struct {
	signingKeys
	id        string
	principal Principal // for all requests
	policies  iam.Policies
	tags      map[string]string // of the user, or of the role and the session

	token       string // of a session; empty for a user's access key
	issued      time.Time
	expires     time.Time
	chained     bool
	sessionTags sessionTags
	source      string // identity of a session; empty: none
}

func userCredential(id string, u *identities.User) *credential {
	return &credential{
		id: id,
		principal: Principal{Principal: iam.Principal{ARN: u.ARN, Account: u.Account}, UserID: u.ID, UserName: u.Name,
			AccessKey: id},
		policies: iam.Policies{Identity: u.Policies, Boundary: u.Boundary},
		tags:     u.Tags,
	}
}

// openSession decodes a session token. A session ends when its user or role is deleted.
func (st *state) openSession(accessKey, token string) (*credential, bool) {
	s, ok := st.issuer.open(accessKey, token)
	if !ok {
		return nil, false
	}
	var c *credential
	if u, known := st.directory.User(s.User); known {
		c = userCredential(accessKey, u)
	} else if r, known := st.directory.Role(s.Role); known {
		c = roleCredential(accessKey, r, s.Name)
	} else {
		return nil, false
	}
	if s.Policy != "" {
		p, err := iam.Parse(iam.Session, "session policy", []byte(s.Policy))
		if err != nil {
			return nil, false
		}
		c.policies.Session = []*iam.Policy{p}
	}
	c.secret = st.issuer.secretOf(accessKey)
	c.token, c.chained, c.source = token, s.Chained, s.Source
	c.sessionTags = sessionTags{s.Tags, s.Transitive}
	c.tags = c.sessionTags.over(c.tags)
	c.principal.Space = st.space(c.principal.Account)
	c.issued, c.expires = time.Unix(s.Issued, 0), time.Unix(s.Expires, 0)
	return c, true
}

func roleCredential(id string, r *identities.Role, name string) *credential {
	return &credential{
		id: id,
		principal: Principal{
			Principal: iam.Principal{ARN: sessionARN(r, name), Role: r.ARN, Account: r.Account},
			UserID:    r.ID + ":" + name,
			AccessKey: id,
		},
		policies: iam.Policies{Identity: r.Policies, Boundary: r.Boundary},
		tags:     r.Tags,
	}
}

func sessionARN(r *identities.Role, name string) string {
	return "arn:aws:sts::" + r.Account + ":assumed-role/" + r.Name + "/" + name
}

// find returns the credential of a claim.
func (st *state) find(c *claim, now time.Time) (*credential, error) {
	if !strings.HasPrefix(c.accessKey, identities.SessionKey) {
		found, ok := st.keys[c.accessKey]
		if !ok || c.token != "" {
			return nil, newError(UnrecognizedClient, "The security token included in the request is invalid.")
		}
		return found, nil
	}
	found, ok := st.session(c.accessKey, c.token)
	switch {
	case !ok:
		return nil, newError(UnrecognizedClient, "The security token included in the request is invalid.")
	case !now.Before(found.expires):
		return nil, newError(ExpiredToken, "The security token included in the request is expired")
	}
	return found, nil
}
