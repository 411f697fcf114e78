package identity

import (
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Principal is the caller of one request. It is immutable.
type Principal struct {
	iam.Principal
	UserID    string // aws:userid
	UserName  string // aws:username; empty for a role session
	AccessKey string // that signed the request
	Region    string // that the request was signed for
	Space     string // whose resources it sees: the account, and after a slash its region if the identities have only one

	credential *credential // nil without identities
	request    *http.Request
	now        time.Time
}

// anonymous returns the principal of requests without identities: the account itself.
func anonymous(account string) *Principal {
	return &Principal{
		Principal: iam.Principal{ARN: "arn:aws:iam::" + account + ":root", Account: account},
		UserID:    account,
		Space:     DefaultAccount,
	}
}

// Values implements iam.Values with the global condition keys.
func (p *Principal) Values(key string) []string {
	key, ok := strings.CutPrefix(key, "aws:")
	if !ok {
		return nil
	}
	if tag, ok := strings.CutPrefix(key, "principaltag/"); ok {
		return p.tag(tag)
	}
	return iam.ValueOf(p.value(key))
}

// value returns the value of a single-valued key, given without its prefix, or an empty string.
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
	if value := p.sessionValue(key); value != "" {
		return value
	}
	return p.requestValue(key)
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

func (p *Principal) sessionValue(key string) string {
	if p.credential == nil || p.credential.token == "" {
		return ""
	}
	switch key {
	case "tokenissuetime":
		return p.credential.issued.UTC().Format("2006-01-02T15:04:05Z")
	case "multifactorauthpresent":
		return "false"
	case "sourceidentity":
		return p.credential.source
	}
	return ""
}

func (p *Principal) requestValue(key string) string {
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

// tag returns the value of a tag of the user or role.
func (p *Principal) tag(name string) []string {
	if p.credential == nil {
		return nil
	}
	if value, ok := findTag(p.credential.tags, name); ok {
		return []string{value}
	}
	return nil
}

// combinedValues combines the values of a request: the service's own condition keys and the global ones.
type combinedValues struct {
	service   iam.Values
	principal *Principal
}

func (b *combinedValues) Values(key string) []string {
	if values := b.principal.Values(key); values != nil || b.service == nil {
		return values
	}
	return b.service.Values(key)
}
