package kms

import (
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

type createAliasInput struct{ AliasName, TargetKeyId *string }

var aliasPattern = lazyregexp.New(`^[a-zA-Z0-9:/_-]+$`)

func (in *createAliasInput) check(v *violations) {
	checkAliasName(v, in.AliasName)
	v.id("targetKeyId", in.TargetKeyId)
}

func checkAliasName(v *violations, name *string) {
	v.text("aliasName", name, 1, 256)
	if name != nil && *name != "" && !aliasPattern.MatchString(*name) {
		v.Add("aliasName", *name, "Member must satisfy regular expression pattern: ^[a-zA-Z0-9:/_-]+$")
	}
}

// checkOwnAlias refuses names that are reserved for AWS.
func checkOwnAlias(name string) error {
	switch {
	case !strings.HasPrefix(name, "alias/") || name == "alias/":
		return validationError("Invalid identifier")
	case strings.HasPrefix(name, "alias/aws/"):
		return kmsError("NotAuthorizedException", "")
	case strings.Contains(name, ":"):
		return validationError(name + " contains invalid characters for an alias")
	}
	return nil
}

func createAlias(c *call, in *createAliasInput) (any, error) {
	if err := checkOwnAlias(*in.AliasName); err != nil {
		return nil, err
	}
	if err := c.permitAlias(*in.AliasName); err != nil {
		return nil, err
	}
	k, err := c.aliasTarget(in.TargetKeyId)
	if err != nil {
		return nil, err
	}
	if _, ok := c.aliases[*in.AliasName]; ok {
		return nil, kmsError("AlreadyExistsException", "An alias with the name "+c.arn(*in.AliasName)+" already exists")
	}
	now := c.now()
	return nil, c.saveAlias(&alias{*in.AliasName, k.ID, now, now})
}

// aliasTarget returns a key that may get an alias.
func (c *call) aliasTarget(ref *string) (*key, error) {
	k, err := c.find(*ref)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	return k, c.checkNotPendingDeletion(k)
}

// ownAlias returns an alias that the caller may change.
func (c *call) ownAlias(name string) (*alias, error) {
	if err := checkOwnAlias(name); err != nil {
		return nil, err
	}
	if err := c.permitAlias(name); err != nil {
		return nil, err
	}
	if al, ok := c.aliases[name]; ok {
		return al, nil
	}
	return nil, aliasNotFound(c.account, name)
}

type updateAliasInput struct{ AliasName, TargetKeyId *string }

func (in *updateAliasInput) check(v *violations) {
	checkAliasName(v, in.AliasName)
	v.id("targetKeyId", in.TargetKeyId)
}

func updateAlias(c *call, in *updateAliasInput) (any, error) {
	al, err := c.ownAlias(*in.AliasName)
	if err != nil {
		return nil, err
	}
	k, err := c.aliasTarget(in.TargetKeyId)
	if err != nil {
		return nil, err
	}
	former, err := c.find(al.Target)
	if err != nil {
		return nil, err
	}
	if err := c.permit(former); err != nil {
		return nil, err
	}
	if former.Usage != k.Usage {
		return nil, validationError("Aliases must point to a key of the same usage: " + former.Usage + " is not " + k.Usage)
	}
	return nil, c.saveAlias(&alias{al.Name, k.ID, al.Created, c.now()})
}

type deleteAliasInput struct{ AliasName *string }

func (in *deleteAliasInput) check(v *violations) { checkAliasName(v, in.AliasName) }

func deleteAlias(c *call, in *deleteAliasInput) (any, error) {
	al, err := c.ownAlias(*in.AliasName)
	if err != nil {
		return nil, err
	}
	k, err := c.find(al.Target)
	if err != nil {
		return nil, err
	}
	if err := c.permit(k); err != nil {
		return nil, err
	}
	return nil, c.dropAlias(al.Name)
}

type listAliasesInput struct {
	KeyId *string
	pageInput
}

func (in *listAliasesInput) check(v *violations) {
	v.optional("keyId", in.KeyId, 1, 2048)
	in.checkPage(v, 100)
}

type aliasEntry struct {
	AliasArn        string
	AliasName       string
	CreationDate    float64
	LastUpdatedDate float64
	TargetKeyId     string
}

func listAliases(c *call, in *listAliasesInput) (any, error) {
	if err := c.permitAny(); err != nil {
		return nil, err
	}
	all := c.sortedAliases()
	if in.KeyId != nil {
		k, err := c.find(*in.KeyId)
		if err != nil {
			return nil, err
		}
		var some []*alias
		for _, al := range all {
			if al.Target == k.ID {
				some = append(some, al)
			}
		}
		all = some
	}
	all, next := page(all, func(al *alias) string { return al.Name }, in.Limit, 50, in.Marker)
	out := struct {
		Aliases []aliasEntry
		pageOutput
	}{[]aliasEntry{}, pageEnd(next)}
	for _, al := range all {
		out.Aliases = append(out.Aliases, aliasEntry{c.arn(al.Name), al.Name, al.Created, al.Last, al.Target})
	}
	return out, nil
}
