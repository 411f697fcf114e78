package identity

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/iam"
)

// Principal is who asks, for one request. It does not change.
type Principal struct {
	iam.Principal
	UserID    string // aws:userid
	UserName  string // aws:username; empty for the session of a role
	AccessKey string // that signed the request
	Region    string // that the request was signed for
	Space     string // whose resources it sees: the account, and behind a slash its region where identities have only one

	credential *credential // nil where there are no identities
	request    *http.Request
	now        time.Time
}

// nobody is who asks where nobody needs a name: the account itself.
func nobody() *Principal {
	return &Principal{
		Principal: iam.Principal{ARN: "arn:aws:iam::" + DefaultAccount + ":root", Account: DefaultAccount},
		UserID:    DefaultAccount,
		Space:     DefaultAccount,
	}
}

// Values implements iam.Values with the condition keys that all services have.
func (p *Principal) Values(key string) []string {
	key, ok := strings.CutPrefix(key, "aws:")
	if !ok {
		return nil
	}
	if tag, ok := strings.CutPrefix(key, "principaltag/"); ok {
		return p.tag(tag)
	}
	if value := p.value(key); value != "" {
		return []string{value}
	}
	return nil
}

// value is that of a key with one value, without its prefix; empty for none.
func (p *Principal) value(key string) string {
	switch key {
	case "principalarn":
		if p.Role != "" {
			return p.Role
		}
		return p.ARN
	case "principalaccount":
		return p.Account
	case "principaltype":
		return p.kind()
	case "userid":
		return p.UserID
	case "username":
		return p.UserName
	case "requestedregion":
		return p.Region
	case "viaawsservice":
		return "false"
	case "currenttime":
		return p.now.UTC().Format("2006-01-02T15:04:05Z")
	case "epochtime":
		return strconv.FormatInt(p.now.Unix(), 10)
	}
	if value := p.ofSession(key); value != "" {
		return value
	}
	return p.ofRequest(key)
}

func (p *Principal) kind() string {
	switch {
	case p.Role != "":
		return "AssumedRole"
	case p.UserName != "":
		return "User"
	}
	return "Account"
}

func (p *Principal) ofSession(key string) string {
	if p.credential == nil || p.credential.token == "" {
		return ""
	}
	switch key {
	case "tokenissuetime":
		return p.credential.issued.UTC().Format("2006-01-02T15:04:05Z")
	case "multifactorauthpresent":
		return "false"
	}
	return ""
}

func (p *Principal) ofRequest(key string) string {
	if p.request == nil {
		return ""
	}
	switch key {
	case "sourceip":
		host, _, err := net.SplitHostPort(p.request.RemoteAddr)
		if err != nil {
			return ""
		}
		return host
	case "useragent":
		return p.request.UserAgent()
	case "securetransport":
		return strconv.FormatBool(p.request.TLS != nil)
	}
	return ""
}

// tag is the value of a tag of the user or role; its name is compared without regard to case.
func (p *Principal) tag(name string) []string {
	if p.credential == nil {
		return nil
	}
	for tag, value := range p.credential.tags {
		if strings.EqualFold(tag, name) {
			return []string{value}
		}
	}
	return nil
}

// both are the values of a request: the service's own, and those that all services have.
type both struct {
	service iam.Values
	who     *Principal
}

func (b *both) Values(key string) []string {
	if values := b.who.Values(key); values != nil || b.service == nil {
		return values
	}
	return b.service.Values(key)
}
