package iam

import "strings"

// Principal is the caller of a request.
type Principal struct {
	ARN     string // of the user, the account's root, or the role session
	Role    string // of a session: the role's ARN; otherwise empty
	Account string // twelve digits
	Service string // such as dynamodb.amazonaws.com; otherwise empty
}

// ParsePrincipal returns the Principal of an ARN. A session's role is assumed to have no path.
func ParsePrincipal(arn string) Principal {
	parts := strings.SplitN(arn, ":", arnParts)
	p := Principal{ARN: arn}
	if len(parts) < arnParts {
		return p
	}
	p.Account = parts[4]
	if rest, ok := strings.CutPrefix(parts[5], "assumed-role/"); ok {
		role, _, _ := strings.Cut(rest, "/")
		p.Role = "arn:" + parts[1] + ":iam::" + p.Account + ":role/" + role
	}
	return p
}

// RegionOf returns the region of an ARN, or an empty string.
func RegionOf(arn string) string {
	if parts := strings.SplitN(arn, ":", arnParts); len(parts) == arnParts {
		return parts[3]
	}
	return ""
}

// IsRoot reports whether the principal is the account itself.
func (p *Principal) IsRoot() bool { return strings.HasSuffix(p.ARN, ":root") }

// match is how directly a statement names the caller, which decides which other policies have to allow the request.
type match int

const (
	noMatch   match = iota
	byAccount       // the account is trusted: its own policies have to allow too
	byRole          // the session's role, or anybody: a boundary and a session policy still limit it
	bySelf          // the user or the session itself
)

// principals are the principals of a statement.
type principals struct {
	all      bool
	arns     []arnPattern
	accounts []string
	services []string
}

// match returns how the caller is named.
func (ps *principals) match(r *Request) match {
	who := &r.Principal
	best := noMatch
	if ps.all {
		best = bySelf
		if who.Role != "" {
			best = byRole
		}
	}
	for i := range ps.arns {
		switch {
		case ps.arns[i].matches(who.ARN, r):
			return bySelf
		case who.Role != "" && ps.arns[i].matches(who.Role, r):
			best = max(best, byRole)
		}
	}
	for _, account := range ps.accounts {
		if account == who.Account {
			best = max(best, byAccount)
		}
	}
	for _, service := range ps.services {
		if who.Service != "" && service == who.Service {
			return bySelf
		}
	}
	return best
}
