package identities

import (
	"errors"
	"os"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// maxFile is the size in bytes of the largest identities file.
const maxFile = 4 << 20

// Load reads a file. Errors are one line, with the place and the remedy.
func Load(path string) (*Directory, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var failed *os.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return nil, &Error{File: path, Problem: "cannot be read (" + err.Error() + "): use a YAML file of identities"}
	}
	return Parse(path, data)
}

// Parse parses a description; name is its name in errors.
func Parse(name string, data []byte) (*Directory, error) {
	r := reader{file: name}
	if len(data) > maxFile {
		return nil, &Error{File: name, Problem: "is larger than 4 MB"}
	}
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		problem := strings.TrimPrefix(strings.Join(strings.Fields(err.Error()), " "), "yaml: ")
		return nil, &Error{File: name, Problem: "invalid YAML (" + problem + "): correct this line or the one before it"}
	}
	if len(document.Content) == 0 {
		return nil, &Error{File: name, Problem: "is empty: write at least users with their keys and policies"}
	}
	d := &Directory{accounts: map[string]*account{}}
	if err := r.document(d, document.Content[0]); err != nil {
		return nil, err
	}
	return d, d.resolve(r)
}

func (r reader) document(d *Directory, n *yaml.Node) error {
	main := newAccount(DefaultAccount)
	err := r.fields(n, "the document", func(name, value *yaml.Node) error {
		switch name.Value {
		case "account":
			return r.accountID(value, &main.id)
		case "region":
			return r.text(value, "region", &d.Region)
		case "accounts":
			return r.fields(value, "accounts", func(id, value *yaml.Node) error { return r.otherAccount(d, id, value) })
		}
		return r.section(main, name, value)
	})
	if err != nil {
		return err
	}
	if _, twice := d.accounts[main.id]; twice {
		return r.refuse(n, "account %s is described twice: at the top and under accounts", main.id)
	}
	d.accounts[main.id], d.Account = main, main.id
	return nil
}

var accountID = lazyregexp.New(`^[0-9]{12}$`)

func (r reader) accountID(n *yaml.Node, to *string) error {
	if !accountID.MatchString(n.Value) {
		return r.refuse(n, `%q is not an account: write twelve digits in quotes, such as "123456789012"`, n.Value)
	}
	*to = n.Value
	return nil
}

func (r reader) otherAccount(d *Directory, id, n *yaml.Node) error {
	a := newAccount("")
	if err := r.accountID(id, &a.id); err != nil {
		return err
	}
	d.accounts[a.id] = a
	return r.fields(n, "an account", func(name, value *yaml.Node) error { return r.section(a, name, value) })
}

// section parses users, groups, roles, policies or tables.
func (r reader) section(a *account, section, n *yaml.Node) error {
	switch section.Value {
	case "users", "groups", "roles":
		return r.fields(n, section.Value, func(name, value *yaml.Node) error {
			return r.entity(a, section.Value, name, value)
		})
	case "policies":
		return r.policies(iam.Identity, n, "policies", a.policies)
	case "tables":
		return r.policies(iam.Resource, n, "tables", a.tables)
	}
	return r.refuse(section, "unknown field %q: use account, region, users, groups, roles, policies, tables or accounts",
		section.Value)
}

func (r reader) entity(a *account, kind string, name, n *yaml.Node) (err error) {
	if err := r.name(name); err != nil {
		return err
	}
	switch kind {
	case "users":
		a.users[name.Value], err = r.user(n)
	case "groups":
		a.groups[name.Value], err = r.group(n)
	case "roles":
		a.roles[name.Value], err = r.role(name.Value, n)
	}
	return err
}
